import { setImmediate as breathe } from 'node:timers/promises';

/** Number of characters after which the event loop processes other requests. */
const YIELD_AFTER_CHARACTERS = 128 * 1024;

/** Number of objects and lists up to which a value is serialized by one call, which takes less than a millisecond. */
const OBJECTS_PER_CALL = 500;

/** Serializes plain objects to the same text as `JSON.stringify`, in chunks. */
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
  if (objectsLeft(value, OBJECTS_PER_CALL) > 0) {
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

/** What remains of `left` after the objects and lists in `value`; stops counting at zero. */
function objectsLeft(value: object, left: number): number {
  let rest = left - 1;
  for (const key in value) {
    if (rest <= 0) return 0;
    const item = value[key as never] as unknown;
    if (isObject(item)) rest = objectsLeft(item, rest);
  }
  return rest;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
