/** Returns a number with its noun, such as "1 row" or "2,000 rows". */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`;
}
