const ISO = /^yyyy-MM-dd('T'HH:mm:ss(\.S+)?(XXX)?)?$/;

/** Days that every month has. */
const MIN_DAYS_PER_MONTH = 28;

const [ZERO, NINE] = [48, 57];

/**
 * Tells at a glance of most values of a format that they are spelled already as they are to be: a file holds many. Undefined for a format in which no value
 * is; of a value, false says nothing.
 */
export function createIsoDatetimeTest(format: string): ((text: string) => boolean) | undefined {
  const found = ISO.exec(format);
  if (!found) return undefined;
  const shape = format
    .replaceAll("'", '')
    .replace('XXX', 'Z')
    .replace(/[yMdHmsS]/g, '0');
  const isDate = (text: string): boolean =>
    isLike(text, shape) &&
    !text.startsWith('0000') &&
    isWithin(text, 5, 1, 12) &&
    isWithin(text, 8, 1, MIN_DAYS_PER_MONTH);
  if (found[1] === undefined) return isDate;
  return (text) => isDate(text) && isWithin(text, 11, 0, 23) && isWithin(text, 14, 0, 59) && isWithin(text, 17, 0, 59);
}

/** With a digit for each 0. */
function isLike(text: string, shape: string): boolean {
  if (text.length !== shape.length) return false;
  for (let at = 0; at < shape.length; at++) {
    const wanted = shape.charCodeAt(at);
    const code = text.charCodeAt(at);
    if (wanted === ZERO ? !(code >= ZERO && code <= NINE) : code !== wanted) return false;
  }
  return true;
}

/** Whether two digits are a number from `least` to `most`. */
function isWithin(text: string, at: number, least: number, most: number): boolean {
  const number = (text.charCodeAt(at) - ZERO) * 10 + text.charCodeAt(at + 1) - ZERO;
  return number >= least && number <= most;
}
