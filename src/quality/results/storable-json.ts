/** NUL and lone surrogates. PostgreSQL stores them in `json`, but throws when a query extracts the text. */
const UNSTORABLE = /\0|\p{Surrogate}/gu;

/** Rows may contain characters that PostgreSQL cannot extract from `json`. Each of these characters becomes U+FFFD. */
export function toStorableText(text: string): string {
  return text.replace(UNSTORABLE, '\ufffd');
}

/** Like `toStorableText`, for all strings and property names of a value. */
export function toStorableJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === 'string') return toStorableText(part);
    if (!isRecord(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([name, value]) => [toStorableText(name), value]));
  });
}

function isRecord(part: unknown): part is Record<string, unknown> {
  return typeof part === 'object' && part !== null && !Array.isArray(part);
}
