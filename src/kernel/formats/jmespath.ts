import { compile, isRegistered, type JSONValue, TreeInterpreter } from '@jmespath-community/jmespath';
import { LRUCache } from 'lru-cache';

/** Returns null if nothing matches, or if an argument of a function has the wrong type. */
export type CompiledJmesPath = (value: unknown) => unknown;

/** The message contains the position and quotes only the expression. */
export class JmesPathError extends Error {
  override readonly name = 'JmesPathError';
}

/** Compiles JMESPath (https://jmespath.site). Throws `JmesPathError` for invalid syntax and unknown functions. */
export function compileJmesPath(expression: string): CompiledJmesPath {
  const tree = parse(expression);
  return (value) => {
    try {
      return TreeInterpreter.search(tree, value as JSONValue) ?? null;
    } catch {
      // Type errors are expected, because vendor responses differ in structure.
      return null;
    }
  };
}

/** Throws `JmesPathError`. */
export function jmesPathTreeOf(expression: string): object {
  return parse(expression);
}

/** The expressions come from vendor definitions, so their number is bounded. The limit only protects against misuse. */
const compiled = new LRUCache<string, CompiledJmesPath>({ max: 5_000 });

/** Compiles each expression once. Throws `JmesPathError`. */
export function evaluateJmesPath(expression: string, value: unknown): unknown {
  const known = compiled.get(expression);
  if (known) return known(value);
  const evaluate = compileJmesPath(expression);
  compiled.set(expression, evaluate);
  return evaluate(value);
}

/** Returns whether the result is truthy in JMESPath. null, false and empty values are falsy, and 0 is truthy. */
export function matchesJmesPath(expression: string, value: unknown): boolean {
  const found = evaluateJmesPath(expression, value);
  if (found === null || found === false || found === '') return false;
  return typeof found !== 'object' || Object.keys(found).length > 0;
}

const QUOTED = /'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`/gs;

function parse(expression: string): ReturnType<typeof compile> {
  // The library accepts an unclosed quote at the end of the expression.
  if (/['"`]/.test(expression.replaceAll(QUOTED, ''))) throw new JmesPathError('a quote is not closed');
  let tree: ReturnType<typeof compile>;
  try {
    tree = compile(expression);
  } catch (error) {
    throw new JmesPathError(error instanceof Error ? error.message : 'no JMESPath', { cause: error });
  }
  const unknown = functionsIn(tree).find((name) => !isRegistered(name));
  if (unknown) throw new JmesPathError(`the function ${unknown}() does not exist`);
  return tree;
}

/** The library would not report an unknown function before it calls the function. */
function functionsIn(tree: unknown): string[] {
  if (tree === null || typeof tree !== 'object') return [];
  const { type, name } = tree as { type?: unknown; name?: unknown };
  const own = type === 'Function' && typeof name === 'string' ? [name] : [];
  return [...own, ...Object.values(tree).flatMap(functionsIn)];
}
