import { discoveryOperations } from './discovery.js';
import type { Documents, Follow, Node } from './documents.js';
import { openApiOperations } from './openapi.js';

/** One call that a description offers. */
export interface Operation {
  readonly method: string;
  /** With the base path, and with variables in braces. */
  readonly path: string;
  readonly query: ReadonlyMap<string, Node>;
  readonly body?: Node;
  readonly reply?: Node;
  /** OAuth scopes, any one of which is enough. */
  readonly scopes?: readonly string[];
  readonly follow: Follow;
}

/** The operations of an OpenAPI 2 or 3 file or a Google discovery document. `basePath` replaces that of the file. */
export function readOperations(documents: Documents, file: string, basePath: string | undefined): Operation[] {
  const document = documents.read(file);
  const { follow } = documents;
  if ('discoveryVersion' in document) return discoveryOperations(document, follow, basePath);
  if ('openapi' in document || 'swagger' in document) return openApiOperations(document, follow, basePath);
  throw new Error('it is neither an OpenAPI file nor a Google discovery document');
}

/** Stands for a value in a path that is compared: no fixed segment of a description equals it. */
const VALUE = '\u0001';

/** `severalSegments` names variables whose value holds slashes. */
export function operationsAt(operations: readonly Operation[], path: string, severalSegments: Node = {}): Operation[] {
  const concrete = path.replace(/\{(\w+)\}/g, (_, name) => (severalSegments[name] ? `${VALUE}/${VALUE}` : VALUE));
  const fitting = operations.filter((operation) => pattern(operation.path).test(concrete));
  const fewest = Math.min(...fitting.map(variableCount));
  return fitting.filter((operation) => variableCount(operation) === fewest);
}

function variableCount({ path }: Operation): number {
  return path.split('{').length;
}

function pattern(path: string): RegExp {
  const parts = path.split(/\{[^}]*\}/).map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]+')}$`);
}
