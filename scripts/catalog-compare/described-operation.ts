import type { JsonNode, ResolveReference } from './documents.js';

/** An operation in the API description of a vendor, such as an OpenAPI document. */
export interface DescribedOperation {
  readonly method: string;
  /** Includes the base path. Variables are in braces. */
  readonly path: string;
  readonly query: ReadonlyMap<string, JsonNode>;
  readonly body?: JsonNode;
  readonly response?: JsonNode;
  /** OAuth scopes. Any one of them is sufficient. */
  readonly scopes?: readonly string[];
  readonly resolve: ResolveReference;
}

export interface OpenApiOperation extends DescribedOperation {
  /** JSON pointer (RFC 6901) to the operation, such as `#/paths/~1orders/get`. */
  readonly pointer: string;
  readonly definition: JsonNode;
  /** Includes the parameters of the path, with resolved references. */
  readonly parameters: readonly JsonNode[];
}

/** Placeholder for the value of a path variable. No fixed segment of a path contains this character. */
const VALUE = '\u0001';

/**
 * Returns the matching operations with the fewest variables. `severalSegments` contains the variables whose values can
 * contain slashes.
 */
export function findOperations(
  operations: readonly DescribedOperation[],
  path: string,
  severalSegments: JsonNode = {},
): DescribedOperation[] {
  const concrete = path.replace(/\{(\w+)\}/g, (_, name) => (severalSegments[name] ? `${VALUE}/${VALUE}` : VALUE));
  const fitting = operations.filter((operation) => pattern(operation.path).test(concrete));
  const fewest = Math.min(...fitting.map(variableCount));
  return fitting.filter((operation) => variableCount(operation) === fewest);
}

function variableCount({ path }: DescribedOperation): number {
  return path.split('{').length;
}

function pattern(path: string): RegExp {
  const parts = path.split(/\{[^}]*\}/).map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]+')}$`);
}
