/**
 * Finds thousands of needles of at least 4 bytes in one pass. The returned function returns the first offset of each
 * found needle, by the index of the needle.
 */
export function textFinder(needles: readonly Buffer[]): (text: Buffer) => Map<number, number> {
  // Needles by the hash of their last bytes, because many needles, such as times and names, have equal first bytes.
  const byEnd = new Map<number, number[]>();
  for (const [at, needle] of needles.entries()) {
    const hash = hashOf(needle.readInt32BE(needle.length - 4));
    byEnd.set(hash, [...(byEnd.get(hash) ?? []), at]);
  }
  const isEnd = new Uint8Array(2 ** 16);
  for (const hash of byEnd.keys()) isEnd[hash] = 1;

  return (text) => {
    const found = new Map<number, number>();
    let lastFour = 0;
    for (let end = 1; end <= text.length; end++) {
      lastFour = (lastFour << 8) | (text[end - 1] as number);
      const hash = hashOf(lastFour);
      if (!isEnd[hash]) continue;
      for (const at of byEnd.get(hash) as number[]) {
        const needle = needles[at] as Buffer;
        const start = end - needle.length;
        if (text[start] !== needle[0] || found.has(at)) continue;
        if (text.compare(needle, 0, needle.length, start, end) === 0) found.set(at, start);
      }
    }
    return found;
  };
}

function hashOf(word: number): number {
  return Math.imul(word, 0x9e3779b1) >>> 16;
}
