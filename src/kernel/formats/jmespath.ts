import { compile, isRegistered, type JSONValue, TreeInterpreter } from '@jmespath-community/jmespath';

/** Evaluates one expression. Null where it finds nothing, or where a function is given a type that it does not take. */
export type CompiledJmesPath = (value: unknown) => unknown;

/** The expression is no JMESPath. `message` says where; it quotes nothing but the expression. */
export class JmesPathError extends Error {
  override readonly name = 'JmesPathError';
}

/** Compiles JMESPath (https://jmespath.site). Throws `JmesPathError`, also for a function that does not exist. */
export function compileJmesPath(expression: string): CompiledJmesPath {
  const tree = parse(expression);
  return (value) => {
    try {
      return TreeInterpreter.search(tree, value as JSONValue) ?? null;
    } catch {
      // Replies come in every shape, and an expression is written for one of them.
      return null;
    }
  };
}

/** What the expression finds in a JSON value. Throws `JmesPathError`. */
export function evaluateJmesPath(expression: string, value: unknown): unknown {
  return compileJmesPath(expression)(value);
}

/** Whether the expression holds: of what it may find, null, false and whatever is empty are false, and 0 is true. */
export function matchesJmesPath(expression: string, value: unknown): boolean {
  const found = evaluateJmesPath(expression, value);
  if (found === null || found === false || found === '') return false;
  return typeof found !== 'object' || Object.keys(found).length > 0;
}

const QUOTED = /'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`/gs;

function parse(expression: string): ReturnType<typeof compile> {
  // The library takes the end of the expression for the quote that is missing.
  if (/['"`]/.test(expression.replaceAll(QUOTED, ''))) throw new JmesPathError('a quote is not closed');
  let tree: ReturnType<typeof compile>;
  try {
    tree = compile(expression);
  } catch (error) {
    throw new JmesPathError(error instanceof Error ? error.message : 'no JMESPath', { cause: error });
  }
  const unknown = functionsIn(tree).find((name) => !isRegistered(name));
  if (unknown) throw new JmesPathError(`there is no function ${unknown}()`);
  return tree;
}

/** The library looks functions up only when it calls them. */
function functionsIn(tree: unknown): string[] {
  if (tree === null || typeof tree !== 'object') return [];
  const { type, name } = tree as { type?: unknown; name?: unknown };
  const own = type === 'Function' && typeof name === 'string' ? [name] : [];
  return [...own, ...Object.values(tree).flatMap(functionsIn)];
}
