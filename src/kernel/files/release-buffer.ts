/**
 * Frees the memory of a buffer immediately, instead of at the next collection of the whole heap. The buffer is empty
 * afterwards. Ignores buffers that share their memory with other buffers.
 */
export function releaseBuffer({ buffer: memory, byteLength }: Uint8Array): void {
  if (byteLength > 0 && memory instanceof ArrayBuffer && memory.byteLength === byteLength) memory.transfer(0);
}
