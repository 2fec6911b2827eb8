import { discoveryOperations } from './discovery.js';
import type { Documents, Follow, Node } from './documents.js';
import { openApiOperations } from './openapi.js';

/** A described API call. */
export interface Operation {
  readonly method: string;
  /** Path with base path, and variables in braces. */
  readonly path: string;
  readonly query: ReadonlyMap<string, Node>;
  readonly body?: Node;
  readonly reply?: Node;
  /** OAuth scopes. One of them is sufficient. */
  readonly scopes?: readonly string[];
  readonly follow: Follow;
}

/** Reads an OpenAPI 2 or 3 file or a Google discovery document. `basePath` overrides the base path of the file. */
export function readOperations(documents: Documents, file: string, basePath: string | undefined): Operation[] {
  const document = documents.read(file);
  const { follow } = documents;
  if ('discoveryVersion' in document) return discoveryOperations(document, follow, basePath);
  if ('openapi' in document || 'swagger' in document) return openApiOperations(document, follow, basePath);
  throw new Error('The file is not an OpenAPI or Google discovery document.');
}

/** Placeholder for the value of a path variable. No fixed segment of a description equals it. */
const VALUE = '\u0001';

/** `severalSegments` contains the variables whose values can contain slashes. */
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
