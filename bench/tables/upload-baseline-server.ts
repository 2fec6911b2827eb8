import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import busboy from 'busboy';

/**
 * A minimal upload server with busboy. It writes uploads to the folder that the first argument names, and flushes each
 * file to disk.
 */
const [, , folder = '.'] = process.argv;

const server = createServer((request, response) => {
  const form = busboy({ headers: request.headers });
  form.on('file', (_, file) => {
    const path = join(folder, randomUUID());
    pipeline(file, createWriteStream(path, { flush: true })).then(
      () => response.end('{}'),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  request.pipe(form);
});
server.requestTimeout = 0;
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
process.once('SIGTERM', () => process.exit());
