/** A name, a quoted name, or an index in brackets. */
const STEP = /\.?(?:"((?:[^"\\]|\\.)*)"|\[(\d+)\]|([^.[\]"]+))/gy;

/**
 * Splits a path of a vendor definition, such as `filters[0].value` or `bindings."1".value`. Returns undefined for an
 * invalid path.
 */
export function parseJsonPath(path: string): (string | number)[] | undefined {
  const steps: (string | number)[] = [];
  let end = 0;
  for (const [all, quoted, index, name] of path.matchAll(STEP)) {
    end += all.length;
    if (index !== undefined) steps.push(Number(index));
    else steps.push(quoted === undefined ? (name as string) : quoted.replace(/\\(.)/g, '$1'));
  }
  return steps.length > 0 && end === path.length ? steps : undefined;
}

/** Returns undefined if the document has no value at the path. Treats an invalid path as a single name. */
export function valueAtPath(document: unknown, path: string): unknown {
  return (parseJsonPath(path) ?? [path]).reduce<unknown>((found, step) => {
    if (found === null || typeof found !== 'object') return undefined;
    return Object.hasOwn(found, step) ? (found as Record<string | number, unknown>)[step] : undefined;
  }, document);
}

/**
 * Returns a copy of the document with the value at the path. Creates missing objects and lists on the path, also in
 * place of null or a scalar.
 */
export function withValueAtPath(document: unknown, path: string, value: unknown): unknown {
  return withValue(document, parseJsonPath(path) ?? [path], value);
}

function withValue(document: unknown, [step, ...rest]: readonly (string | number)[], value: unknown): unknown {
  if (step === undefined) return value;
  const isObject = document !== null && typeof document === 'object';
  const old = isObject && Object.hasOwn(document, step) ? (document as Record<string | number, unknown>)[step] : null;
  const child = withValue(old, rest, value);
  if (Array.isArray(document) || (!isObject && typeof step === 'number')) {
    const list = Array.isArray(document) ? [...document] : [];
    list[Number(step)] = child;
    return list;
  }
  return { ...(isObject ? document : {}), [step]: child };
}
