import { type CompiledJmesPath, compileJmesPath, jmesPathTreeOf } from '../../kernel/formats/jmespath.js';
import type { MemberPath } from './json-list-scanner.js';

/** A list of records that the service can read in parts. */
export interface ListPath {
  readonly names: MemberPath;
  /** Selects the records in a part of the list. Undefined if the elements are the records. */
  readonly project: CompiledJmesPath | undefined;
}

const NAME = /\s*(?:([A-Za-z_]\w*)|"([^"\\]+)")\s*/y;

/**
 * Returns the list of a path such as `data.items`, `data.edges[*].node` or `rows[?active]`. Returns undefined for an
 * expression whose result depends on the whole list or document, such as `items[0:5]`. An empty expression selects the
 * whole document.
 */
export function listPathOf(expression: string): ListPath | undefined {
  const { names, rest } = leadingNames(expression);
  if (rest === '') return { names, project: undefined };
  if (!rest.startsWith('[') || rest.includes('$')) return undefined;
  const isPerElement = appliesToElements(jmesPathTreeOf(rest));
  return isPerElement ? { names, project: compileJmesPath(rest) } : undefined;
}

function leadingNames(expression: string): { names: string[]; rest: string } {
  const names: string[] = [];
  let at = 0;
  for (;;) {
    NAME.lastIndex = at;
    const [whole, plain, quoted] = NAME.exec(expression) ?? [];
    const name = plain ?? quoted;
    // A name before a parenthesis is the name of a function.
    if (whole === undefined || name === undefined || expression[at + whole.length] === '(') break;
    names.push(name);
    at += whole.length;
    if (expression[at] !== '.') break;
    at += 1;
  }
  return { names, rest: expression.slice(at).trim() };
}

type Tree = { readonly type?: string; readonly left?: Tree; readonly child?: Tree };

/** Returns whether the result of the expression for a list equals the joined results for the parts of the list. */
function appliesToElements({ type, left, child }: Tree): boolean {
  if (type === 'Identity') return true;
  if (type === 'Flatten') return child !== undefined && appliesToElements(child);
  if (type === 'FilterProjection' || type === 'Projection') return left !== undefined && appliesToElements(left);
  return false;
}
