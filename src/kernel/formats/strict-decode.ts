const HEX = /^(?:[0-9a-f]{2})+$/;

/** Decodes lower-case hexadecimal. Returns undefined for any other string, including the empty string. */
export function decodeStrictHex(text: string): Buffer | undefined {
  return HEX.test(text) ? Buffer.from(text, 'hex') : undefined;
}

/**
 * Decodes canonical base64 (RFC 4648, section 4), with padding and zeros in unused bits. Returns undefined for any
 * other string, including the empty string. Node's decoder accepts almost any string.
 */
export function decodeStrictBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length > 0 && bytes.toString('base64') === text ? bytes : undefined;
}
