import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { FileStoreError } from '../../../src/kernel/files/file-store.js';
import { outboundServers, reasonOf } from '../../support/servers/outbound-servers.js';

const { anOutbound, serve } = outboundServers();

describe('a large response with a spool', () => {
  const spool = { folder: tmpdir(), memoryBytes: 10, maxBytes: 1_000 };
  const body = 'abcdefghij'.repeat(10);

  it('is stored in a file, and can be read until it is discarded', async () => {
    const url = await serve((_, response) => response.end(gzipSync(body)));
    const gzipped = await serve((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(body)),
    );
    expect((await anOutbound().request(url, { spool })).spooled?.size).toBe(gzipSync(body).length);
    const { spooled, body: start } = await anOutbound().request(gzipped, { spool, maxBytes: 10 });
    expect(`${start}`).toBe(body);
    expect(`${await spooled?.read(95, 100)}`).toBe('fghij');
    const chunks: Buffer[] = [];
    for await (const chunk of spooled?.chunks(33) ?? []) chunks.push(chunk);
    expect([chunks.length, `${Buffer.concat(chunks)}`]).toEqual([4, body]);
    await spooled?.discard();
    await expect(spooled?.read(0, 1)).rejects.toThrow(FileStoreError);
  });

  it('is an ordinary response if it fits into memory, or is not successful', async () => {
    const url = await serve((request, response) => {
      response.writeHead(request.url === '/' ? 200 : 500).end(request.url === '/' ? 'abcdefghij' : body);
    });
    const reply = await anOutbound().request(url, { spool });
    expect([`${reply.body}`, reply.spooled]).toEqual(['abcdefghij', undefined]);
    expect(await reasonOf(anOutbound().request(`${url}/failed`, { spool, maxBytes: 99 }))).toBe('reply_too_large');
  });

  it('fails if it exceeds the limit of the spool or is cut off, and if the folder does not exist', async () => {
    const url = await serve((request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write(body.slice(50));
      if (request.url === '/') response.end(body.slice(50));
      else response.socket?.end();
    });
    expect(await reasonOf(anOutbound().request(url, { spool: { ...spool, maxBytes: 99 } }))).toBe('reply_too_large');
    expect(await reasonOf(anOutbound().request(`${url}/cut`, { spool }))).toBe('broken_reply');
    const missing = { ...spool, folder: `${tmpdir()}/missing` };
    await expect(anOutbound().request(url, { spool: missing })).rejects.toThrow(FileStoreError);
  });

  it('may take the timeout again for each part as large as the limit of memory', async () => {
    const url = await serve(async (_, response) => {
      for (let part = 0; part < 4; part++) {
        response.write('x'.repeat(11));
        await sleep(350);
      }
      response.end();
    });
    const [{ spooled }, withoutSpool] = await Promise.all([
      anOutbound().request(url, { spool, timeoutMs: 1_000 }),
      reasonOf(anOutbound().request(url, { timeoutMs: 1_000 })),
    ]);
    expect([spooled?.size, withoutSpool]).toEqual([44, 'timeout']);
  });
});
