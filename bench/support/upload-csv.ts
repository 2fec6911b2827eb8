import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { generateCsv } from './generate-csv.js';

const BOUNDARY = 'bench-of-uploads';

/** Generates a CSV table during the upload. Returns the response body. */
export async function uploadCsv(url: string, size: number, headers: Record<string, string> = {}): Promise<string> {
  const type = `multipart/form-data; boundary=${BOUNDARY}`;
  const outgoing = request(url, { method: 'POST', headers: { ...headers, 'content-type': type } });
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  const sent = pipeline(Readable.from(formOf(size), { objectMode: true, highWaterMark: 1 }), outgoing);
  const [[response]] = await Promise.all([answered, sent]);
  const text = (await response.toArray()).join('');
  if (response.statusCode !== 200) throw new Error(`${url} returned ${response.statusCode}: ${text}`);
  return text;
}

function* formOf(size: number): Generator<Buffer> {
  const part = (disposition: string): string => `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}`;
  yield Buffer.from(`${part('name="data"')}\r\n\r\n{}\r\n`);
  yield Buffer.from(`${part('name="file"; filename="table.csv"')}\r\nContent-Type: text/csv\r\n\r\n`);
  yield* generateCsv(size);
  yield Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
}
