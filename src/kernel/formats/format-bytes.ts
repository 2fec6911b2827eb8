const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

/** Uses the largest unit that gives a whole number, such as 1 MiB or 1,000 bytes. */
export function formatBytes(bytes: number): string {
  let [size, unit] = [bytes, 0];
  while (size > 0 && size % 1024 === 0 && unit < UNITS.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${size.toLocaleString('en')} ${UNITS[unit]}`;
}
