/** What PostgreSQL's type `json` takes, and throws for once the text is taken out. */
const UNREADABLE = /\0|\p{Surrogate}/gu;

/** A text that PostgreSQL can read wherever it stands: NUL and halves of characters, which rows may hold, become U+FFFD. */
export function storable(text: string): string {
  return text.replace(UNREADABLE, '\ufffd');
}

/** JSON whose every text is storable, names of properties too. */
export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === 'string') return storable(part);
    if (!isRecord(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([name, value]) => [storable(name), value]));
  });
}

function isRecord(part: unknown): part is Record<string, unknown> {
  return typeof part === 'object' && part !== null && !Array.isArray(part);
}
