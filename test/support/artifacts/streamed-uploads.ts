import { multipartBody, multipartPart } from '../servers/form-server.js';
import type { Client, Reply } from '../service/service.js';
import { UPLOAD_PATH } from './artifact-requests.js';

/** Sends no `content-length`. */
export function streamUpload(client: Client, chunks: AsyncIterable<string | Buffer>): Promise<Reply> {
  const headers = { 'content-type': 'multipart/form-data; boundary=b' };
  return client.request(UPLOAD_PATH, { method: 'POST', body: formOf(chunks), headers, duplex: 'half' } as never);
}

export async function* pausingText(text: string, after: number, mayContinue: Promise<void>): AsyncGenerator<string> {
  yield text.slice(0, after);
  await mayContinue;
  yield text.slice(after);
}

async function* formOf(chunks: AsyncIterable<string | Buffer>): AsyncGenerator<Buffer> {
  yield Buffer.from(multipartPart('data', '{}') + multipartPart('file', '', 'people.csv').slice(0, -'\r\n'.length));
  for await (const chunk of chunks) yield Buffer.from(chunk);
  yield Buffer.from(`\r\n${multipartBody()}`);
}
