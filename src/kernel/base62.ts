/** Digits in the order of their values, which is that of their characters too. */
export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Spells a number in base62, left-padded with `0`. For ids there is a faster way: see `encodeId`. */
export function encodeBase62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n) text = BASE62[Number(rest % 62n)] + text;
  return text;
}
