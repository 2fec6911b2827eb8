export interface Utf8Analysis {
  /**
   * Whether a text with invalid bytes is clearly UTF-8. Either it has at least 4 valid multi-byte characters per
   * invalid byte, or all its invalid bytes are encoded surrogates.
   */
  readonly isEvident: boolean;
  /** Offset of the first invalid byte. Undefined if all bytes are valid. */
  readonly firstBad: number | undefined;
}

const MIN_VALID_PER_INVALID = 4;

/** Applies the rules of RFC 3629. Ignores an incomplete last character if `isWhole` is false. */
export function analyzeUtf8(bytes: Uint8Array, { isWhole }: { isWhole: boolean }): Utf8Analysis {
  let valid = 0;
  let bad = 0;
  let surrogates = 0;
  let firstBad: number | undefined;
  for (let at = 0; at < bytes.length; ) {
    const length = utf8LengthAt(bytes, at);
    if (length > 0) {
      if (length > 1) valid++;
      at += length;
      continue;
    }
    if (!isWhole && at >= bytes.length - 3) break;
    firstBad ??= at;
    if (isSurrogate(bytes, at)) {
      surrogates++;
      at += 3;
    } else {
      bad++;
      at++;
    }
  }
  const isEvident = bad === 0 ? surrogates > 0 : valid >= bad * MIN_VALID_PER_INVALID;
  return { isEvident, firstBad };
}

/** Returns the length of the character at an offset, in bytes, or 0 if the bytes are invalid. */
export function utf8LengthAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const second = bytes[at + 1] ?? 0;
  if (first >= 0xc2 && first <= 0xdf) return isContinuationByte(second) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    const isShortest = (first !== 0xe0 || second >= 0xa0) && (first !== 0xed || second <= 0x9f);
    return isShortest && isContinuationByte(second) && isContinuationByte(bytes[at + 2]) ? 3 : 0;
  }
  if (first < 0xf0 || first > 0xf4) return 0;
  const isInRange = (first !== 0xf0 || second >= 0x90) && (first !== 0xf4 || second <= 0x8f);
  return isInRange &&
    isContinuationByte(second) &&
    isContinuationByte(bytes[at + 2]) &&
    isContinuationByte(bytes[at + 3])
    ? 4
    : 0;
}

function isContinuationByte(byte = 0): boolean {
  return byte >= 0x80 && byte <= 0xbf;
}

/** Returns whether the bytes are a surrogate of UTF-16 that was encoded like a character (CESU-8). */
function isSurrogate(bytes: Uint8Array, at: number): boolean {
  return (
    bytes[at] === 0xed &&
    (bytes[at + 1] ?? 0) >= 0xa0 &&
    isContinuationByte(bytes[at + 1]) &&
    isContinuationByte(bytes[at + 2])
  );
}
