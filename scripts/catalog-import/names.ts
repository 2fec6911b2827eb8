import { MAX_SLUG_LENGTH } from '../../src/catalog/definitions/slug-pattern.js';

/** Returns a slug such as `acme-shop`, or an empty string if the text has no ASCII letters or digits. */
export function toSlug(text: string): string {
  return wordsOf(text).join('-').slice(0, MAX_SLUG_LENGTH).replace(/-+$/, '');
}

/** The name of a tap or field must start with a letter. */
export function toSnakeCase(text: string): string {
  const name = wordsOf(text).join('_').slice(0, MAX_SLUG_LENGTH).replace(/_+$/, '');
  return /^[a-z]/.test(name) ? name : `tap_${name}`.slice(0, MAX_SLUG_LENGTH).replace(/_+$/, '');
}

export function toVariable(text: string): string {
  const name = wordsOf(text)
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('');
  return /^[a-z]/.test(name) ? name : `value${name}`;
}

/** Adds the result to `taken`. */
export function uniqueName(name: string, taken: Set<string>, separator: string): string {
  let free = name;
  for (let count = 2; taken.has(free); count++) {
    const suffix = `${separator}${count}`;
    free = name.slice(0, MAX_SLUG_LENGTH - suffix.length) + suffix;
  }
  taken.add(free);
  return free;
}

export function toJmesPath(names: readonly string[]): string {
  return names.map((name) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name))).join('.');
}

/** Removes differences of notation: `page[size]`, `pageSize` and `page_size` become equal. */
export function normalized(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function wordsOf(text: string): string[] {
  return (
    text
      .slice(0, 500)
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  );
}
