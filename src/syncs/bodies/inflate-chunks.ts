import { pipeline, Readable, type Transform } from 'node:stream';

/** Throws errors of `source` and of `zlib`. */
export async function* inflateChunks(source: AsyncIterable<Buffer>, decoder: Transform): AsyncGenerator<Buffer> {
  yield* pipeline(Readable.from(source), decoder, () => undefined) as AsyncIterable<Buffer>;
}
