/**
 * Yields the bytes in blocks of `size`; the last block may be shorter, and no block is empty. The next block overwrites
 * the previous one, so memory use is one block for chunks of any size.
 */
export async function* rechunk(bytes: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Buffer, void> {
  const block = Buffer.allocUnsafe(size);
  let filled = 0;
  for await (const chunk of bytes) {
    for (let from = 0; from < chunk.length; ) {
      const some = chunk.subarray(from, from + size - filled);
      block.set(some, filled);
      from += some.length;
      filled += some.length;
      if (filled < size) continue;
      yield block;
      filled = 0;
    }
  }
  if (filled > 0) yield block.subarray(0, filled);
}
