import type { Follow, Node } from './documents.js';
import type { Operation } from './operation.js';

type Named = Readonly<Record<string, Node>>;

/** https://developers.google.com/discovery/v1/reference/apis */
export function discoveryOperations(
  document: Node,
  follow: Follow,
  basePath = `/${document.servicePath}`,
): Operation[] {
  const common = Object.entries((document.parameters ?? {}) as Named);
  const operations: Operation[] = [];
  const visit = ({ methods, resources }: Node): void => {
    for (const method of Object.values((methods ?? {}) as Named)) {
      const own = Object.entries((method.parameters ?? {}) as Named).filter(([, { location }]) => location === 'query');
      operations.push({
        method: String(method.httpMethod),
        path: `${basePath.replace(/\/$/, '')}/${String(method.path).replaceAll('{+', '{')}`,
        query: new Map([...common, ...own]),
        body: method.request as Node | undefined,
        reply: method.response as Node | undefined,
        scopes: method.scopes as string[] | undefined,
        follow,
      });
    }
    for (const resource of Object.values((resources ?? {}) as Named)) visit(resource);
  };
  visit(document);
  return operations;
}
