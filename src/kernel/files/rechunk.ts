/**
 * Yields blocks of `size` bytes. The last block may be shorter, but no block is empty. Each block overwrites the
 * previous block, so the function uses the memory of one block.
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
