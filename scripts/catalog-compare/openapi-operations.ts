import type { OpenApiOperation } from './described-operation.js';
import type { JsonNode, ResolveReference } from './documents.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Sources: https://spec.openapis.org/oas/v3.1.0 and https://swagger.io/specification/v2. */
export function openApiOperations(
  document: JsonNode,
  follow: ResolveReference,
  basePath = basePathOf(document),
): OpenApiOperation[] {
  return Object.entries((document.paths ?? {}) as Record<string, JsonNode>).flatMap(([path, given]) => {
    const item = follow(given) ?? {};
    return METHODS.filter((method) => item[method]).map((method) => {
      const operation = item[method] as JsonNode;
      const given = [...list(item.parameters), ...list(operation.parameters)];
      const parameters = given.map(follow).filter((parameter) => parameter !== undefined);
      const query = parameters.filter((parameter) => parameter.in === 'query');
      return {
        method: method.toUpperCase(),
        path: `${basePath}${path}`.replace(/\?.*$/, ''),
        query: new Map(query.map((parameter) => [String(parameter.name), schemaOf(parameter, follow)])),
        body: bodyOf(operation, parameters, follow),
        response: replyOf(operation, follow),
        resolve: follow,
        pointer: `#/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}`,
        definition: operation,
        parameters,
      };
    });
  });
}

function basePathOf({ basePath, servers }: JsonNode): string {
  const [server] = list(servers);
  const address = String(basePath ?? server?.url ?? '');
  return address.replace(/^(\w+:)?\/\/[^/]*/, '').replace(/\/$/, '');
}

/** In OpenAPI 2, a parameter contains the keywords of its schema directly. */
export function schemaOf(parameter: JsonNode, resolve: ResolveReference): JsonNode {
  return resolve(parameter.schema as JsonNode) ?? parameter;
}

function bodyOf(operation: JsonNode, parameters: readonly JsonNode[], follow: ResolveReference): JsonNode | undefined {
  const inBody = parameters.find((parameter) => parameter.in === 'body');
  if (inBody) return inBody.schema as JsonNode;
  const inForm = parameters.filter((parameter) => parameter.in === 'formData');
  if (inForm.length) return { properties: Object.fromEntries(inForm.map((one) => [String(one.name), one])) };
  return contentOf(follow(operation.requestBody as JsonNode));
}

function replyOf({ responses }: JsonNode, follow: ResolveReference): JsonNode | undefined {
  const [, reply] =
    Object.entries((responses ?? {}) as Record<string, JsonNode>).find(([status]) => /^2/.test(status)) ?? [];
  const found = follow(reply);
  return (found?.schema as JsonNode | undefined) ?? contentOf(found);
}

function contentOf(holder: JsonNode | undefined): JsonNode | undefined {
  const content = Object.entries((holder?.content ?? {}) as Record<string, JsonNode>);
  const [, media] = content.find(([type]) => type.includes('json')) ?? content[0] ?? [];
  return media?.schema as JsonNode | undefined;
}

export function list(value: unknown): JsonNode[] {
  return Array.isArray(value) ? value : [];
}
