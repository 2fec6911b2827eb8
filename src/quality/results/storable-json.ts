/** What PostgreSQL's type `json` takes, and throws for once the text is taken out. */
const UNSTORABLE = /\0|\p{Surrogate}/gu;

/** A text that PostgreSQL can read wherever it stands: NUL and halves of characters, which rows may hold, become U+FFFD. */
export function toStorableText(text: string): string {
  return text.replace(UNSTORABLE, '\ufffd');
}

/** JSON whose every text is storable, names of properties too. */
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
