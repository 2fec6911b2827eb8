import { tmpdir } from 'node:os';
import { openTapPage } from '../../../src/syncs/bodies/open-tap-page.js';
import type { VendorRecord } from '../../../src/syncs/tap-page.js';
import { buildReading, buildReply } from '../tap-response.js';

interface PageOptions {
  readonly contentType?: string | undefined;
  readonly extraction?: object;
  readonly option?: Parameters<typeof buildReading>[0] extends infer Parts ? NonNullable<Parts> : never;
  readonly wholeBytes?: number;
  readonly memoryBytes?: number;
  readonly maxBytes?: number;
  readonly partBytes?: number;
}

/**
 * Returns all records of a page. The default limits are so small that every body is stored in a file and read in
 * parts.
 */
export async function openPage(
  body: string | Buffer,
  { contentType, extraction, option, ...sizes }: PageOptions = {},
): Promise<{ document: unknown; records: VendorRecord[]; parts: number }> {
  const limits = { folder: tmpdir(), wholeBytes: 0, memoryBytes: 16, partBytes: 64, maxBytes: 2 ** 26, ...sizes };
  const reply = buildReply({ body, headers: contentType ? { 'content-type': contentType } : {} });
  const reading = buildReading({ tap: { responseExtraction: { primaryKey: 'id', ...extraction } }, ...option });
  const page = await openTapPage(reading, reply, {}, limits);
  const records: VendorRecord[] = [];
  let parts = 0;
  try {
    for await (const part of page.records) {
      records.push(...part);
      parts += 1;
    }
  } finally {
    await page.close();
  }
  return { document: page.document, records, parts };
}
