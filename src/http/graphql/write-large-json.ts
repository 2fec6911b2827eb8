import { setImmediate as breathe } from 'node:timers/promises';

/** The writer yields to the event loop after this number of characters. */
const YIELD_AFTER_CHARACTERS = 128 * 1024;

/**
 * One call of `JSON.stringify` with this size takes about a millisecond. An object or list counts as 1, and a string
 * counts as 1 per `CHARACTERS_PER_OBJECT`.
 */
const SIZE_PER_CALL = 2_000;
const CHARACTERS_PER_OBJECT = 256;

/** Returns the same text as `JSON.stringify`, but yields to the event loop. */
export async function writeLargeJson(value: object): Promise<string> {
  let text = '';
  let breathedAt = 0;
  for (const piece of piecesOf(value)) {
    text += piece;
    if (text.length - breathedAt < YIELD_AFTER_CHARACTERS) continue;
    breathedAt = text.length;
    await breathe();
  }
  return text;
}

function* piecesOf(value: object): Generator<string> {
  if (sizeLeft(value, SIZE_PER_CALL) > 0) {
    yield JSON.stringify(value);
    return;
  }
  const isArray = Array.isArray(value);
  let before = isArray ? '[' : '{';
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined && !isArray) continue;
    const start = isArray ? before : `${before}${JSON.stringify(key)}:`;
    before = ',';
    if (isObject(item)) {
      yield start;
      yield* piecesOf(item);
    } else yield `${start}${JSON.stringify(item) ?? 'null'}`;
  }
  yield isArray ? ']' : '}';
}

/** Returns `left` minus the size of `value`, but stops counting at zero. */
function sizeLeft(value: unknown, left: number): number {
  if (typeof value === 'string') return left - value.length / CHARACTERS_PER_OBJECT;
  if (!isObject(value)) return left;
  let rest = left - 1;
  // `for in` over a list would create a string for each index.
  if (Array.isArray(value)) for (let at = 0; rest > 0 && at < value.length; at++) rest = sizeLeft(value[at], rest);
  else for (const key in value) if (rest > 0) rest = sizeLeft(value[key as never], rest);
  return rest;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
