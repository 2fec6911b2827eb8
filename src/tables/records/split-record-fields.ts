/** The value is JSON text. */
export type RecordField = readonly [name: string, value: string];

/** The line is not a record in the form that `IngestBodyScanner` produces. */
class InvalidRecord extends Error {
  override readonly name = 'InvalidRecord';
}

const QUOTE = '"'.charCodeAt(0);
const BACKSLASH = '\\'.charCodeAt(0);
const COMMA = ','.charCodeAt(0);
const OPENING = new Set(['{', '['].map((text) => text.charCodeAt(0)));
const CLOSING = new Set(['}', ']'].map((text) => text.charCodeAt(0)));

/**
 * Splits a line of `IngestBodyScanner` into fields. The line must not have whitespace between values. Copies values
 * unchanged, so numbers keep all digits. Returns all fields in order, including fields with equal names. Throws
 * `InvalidRecord` and `SyntaxError`.
 */
export function splitRecordFields(line: string): RecordField[] {
  if (line === '{}') return [];
  const fields: RecordField[] = [];
  let at = 0;
  while (at < line.length - 1) {
    const nameEnd = endOfString(line, at + 1);
    const valueEnd = endOfValue(line, nameEnd + 1);
    fields.push([parseJsonString(line.slice(at + 1, nameEnd)), line.slice(nameEnd + 1, valueEnd)]);
    at = valueEnd;
  }
  if (line[0] !== '{' || line[at] !== '}') throw new InvalidRecord();
  return fields;
}

export function parseJsonString(string: string): string {
  if (string[0] !== '"') throw new InvalidRecord();
  return string.includes('\\') ? (JSON.parse(string) as string) : string.slice(1, -1);
}

/** Returns the index after the string that starts at `from`. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) at += 1;
  }
  throw new InvalidRecord();
}

/** Returns the index of the comma or bracket that ends the value at `from`. */
function endOfValue(line: string, from: number): number {
  let depth = 0;
  for (let at = from; at < line.length; ) {
    const code = line.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(line, at);
      continue;
    }
    if (OPENING.has(code)) depth += 1;
    else if (depth === 0 && (code === COMMA || CLOSING.has(code))) return at;
    else if (CLOSING.has(code)) depth -= 1;
    at += 1;
  }
  throw new InvalidRecord();
}
