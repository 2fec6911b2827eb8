export const SLUG_PATTERN = '^[a-z0-9]+(-[a-z0-9]+)*$';

export const MAX_SLUG_LENGTH = 64;

export function isSlug(text: string): boolean {
  return text.length <= MAX_SLUG_LENGTH && new RegExp(SLUG_PATTERN).test(text);
}
