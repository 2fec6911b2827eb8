import type { DescribedOperation } from './described-operation.js';
import type { JsonNode, ResolveReference } from './documents.js';

type Named = Readonly<Record<string, JsonNode>>;

/** Source: https://developers.google.com/discovery/v1/reference/apis. */
export function discoveryOperations(
  document: JsonNode,
  follow: ResolveReference,
  basePath = `/${document.servicePath}`,
): DescribedOperation[] {
  const common = Object.entries((document.parameters ?? {}) as Named);
  const operations: DescribedOperation[] = [];
  const visit = ({ methods, resources }: JsonNode): void => {
    for (const method of Object.values((methods ?? {}) as Named)) {
      const own = Object.entries((method.parameters ?? {}) as Named).filter(([, { location }]) => location === 'query');
      operations.push({
        method: String(method.httpMethod),
        path: `${basePath.replace(/\/$/, '')}/${String(method.path).replaceAll('{+', '{')}`,
        query: new Map([...common, ...own]),
        body: method.request as JsonNode | undefined,
        response: method.response as JsonNode | undefined,
        scopes: method.scopes as string[] | undefined,
        resolve: follow,
      });
    }
    for (const resource of Object.values((resources ?? {}) as Named)) visit(resource);
  };
  visit(document);
  return operations;
}
