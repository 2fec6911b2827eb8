const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** Formats a size with at most one decimal, such as 1.5 MiB. */
export function formatBytes(bytes: number): string {
  const exponent = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), UNITS.length - 1);
  const value = bytes / 1024 ** exponent;
  return `${value.toLocaleString('en', { maximumFractionDigits: 1 })} ${UNITS[exponent]}`;
}
