const HEX = /^(?:[0-9a-f]{2})+$/;

/** Bytes of lower-case hexadecimal; undefined for any other spelling and for none at all. */
export function decodeStrictHex(text: string): Buffer | undefined {
  return HEX.test(text) ? Buffer.from(text, 'hex') : undefined;
}

/**
 * Bytes of base64 as RFC 4648, section 4, spells it: with its padding, and with zeros in the bits that are left over. Undefined for
 * any other spelling and for none at all. Node alone would read almost any text.
 */
export function decodeStrictBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length > 0 && bytes.toString('base64') === text ? bytes : undefined;
}
