const ISO = /^yyyy-MM-dd('T'HH:mm:ss(\.S+)?(XXX)?)?$/;

/** Days up to 28 exist in every month. */
const MIN_DAYS_PER_MONTH = 28;

const [ZERO, NINE] = [48, 57];

/**
 * Returns a fast test for valid values in canonical format. If the test returns false, the caller must parse the value,
 * which may still be valid. Returns undefined if `format` is not the canonical format.
 */
export function createIsoDatetimeTest(format: string): ((text: string) => boolean) | undefined {
  const found = ISO.exec(format);
  if (!found) return undefined;
  const layout = format
    .replaceAll("'", '')
    .replace('XXX', 'Z')
    .replace(/[yMdHmsS]/g, '0');
  const isDate = (text: string): boolean =>
    matchesLayout(text, layout) &&
    !text.startsWith('0000') &&
    isWithin(text, 5, 1, 12) &&
    isWithin(text, 8, 1, MIN_DAYS_PER_MONTH);
  if (found[1] === undefined) return isDate;
  return (text) => isDate(text) && isWithin(text, 11, 0, 23) && isWithin(text, 14, 0, 59) && isWithin(text, 17, 0, 59);
}

/** `0` in the layout matches any digit. */
function matchesLayout(text: string, layout: string): boolean {
  if (text.length !== layout.length) return false;
  for (let at = 0; at < layout.length; at++) {
    const wanted = layout.charCodeAt(at);
    const code = text.charCodeAt(at);
    if (wanted === ZERO ? !(code >= ZERO && code <= NINE) : code !== wanted) return false;
  }
  return true;
}

function isWithin(text: string, at: number, min: number, max: number): boolean {
  const number = (text.charCodeAt(at) - ZERO) * 10 + text.charCodeAt(at + 1) - ZERO;
  return number >= min && number <= max;
}
