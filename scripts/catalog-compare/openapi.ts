import type { Follow, Node } from './documents.js';
import type { Operation } from './operation.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** https://spec.openapis.org/oas/v3.1.0 and https://swagger.io/specification/v2 */
export function openApiOperations(document: Node, follow: Follow, basePath = basePathOf(document)): Operation[] {
  return Object.entries((document.paths ?? {}) as Record<string, Node>).flatMap(([path, given]) => {
    const item = follow(given) ?? {};
    return METHODS.filter((method) => item[method]).map((method) => {
      const operation = item[method] as Node;
      const parameters = [...list(item.parameters), ...list(operation.parameters)].map(follow) as Node[];
      const query = parameters.filter((parameter) => parameter?.in === 'query');
      return {
        method: method.toUpperCase(),
        path: `${basePath}${path}`.replace(/\?.*$/, ''),
        query: new Map(query.map((parameter) => [String(parameter.name), schemaOf(parameter, follow)])),
        body: bodyOf(operation, parameters, follow),
        reply: replyOf(operation, follow),
        follow,
      };
    });
  });
}

function basePathOf({ basePath, servers }: Node): string {
  const [server] = list(servers);
  const address = String(basePath ?? server?.url ?? '');
  return address.replace(/^(\w+:)?\/\/[^/]*/, '').replace(/\/$/, '');
}

/** In OpenAPI 2, a parameter contains its schema directly. */
function schemaOf(parameter: Node, follow: Follow): Node {
  return follow(parameter.schema as Node) ?? parameter;
}

function bodyOf(operation: Node, parameters: readonly Node[], follow: Follow): Node | undefined {
  const inBody = parameters.find((parameter) => parameter?.in === 'body');
  if (inBody) return inBody.schema as Node;
  const inForm = parameters.filter((parameter) => parameter?.in === 'formData');
  if (inForm.length) return { properties: Object.fromEntries(inForm.map((one) => [String(one.name), one])) };
  return contentOf(follow(operation.requestBody as Node));
}

function replyOf({ responses }: Node, follow: Follow): Node | undefined {
  const [, reply] =
    Object.entries((responses ?? {}) as Record<string, Node>).find(([status]) => /^2/.test(status)) ?? [];
  const found = follow(reply);
  return (found?.schema as Node | undefined) ?? contentOf(found);
}

function contentOf(holder: Node | undefined): Node | undefined {
  const content = Object.entries((holder?.content ?? {}) as Record<string, Node>);
  const [, media] = content.find(([type]) => type.includes('json')) ?? content[0] ?? [];
  return media?.schema as Node | undefined;
}

function list(value: unknown): Node[] {
  return Array.isArray(value) ? value : [];
}
