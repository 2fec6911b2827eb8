import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { spooledInMemory } from '../../../../src/kernel/files/spooled-bytes.js';
import { readJsonList, readJsonOutline } from '../../../../src/syncs/bodies/json-body.js';
import type { FoundList } from '../../../../src/syncs/bodies/json-list-scanner.js';
import { openTapPage } from '../../../../src/syncs/bodies/open-tap-page.js';
import { openPage } from '../../../support/syncs/open-page.js';
import { turnsDuring } from '../../../support/syncs/turns-during.js';
import { buildReading, buildReply } from '../../../support/tap-response.js';

const RECORDS = 2_000;
const SIZES = { memoryBytes: 2 ** 23, partBytes: 2 ** 13 };

/** Returns the body of a page in a buffer that shares no memory with another buffer. */
function pageBody(): Buffer {
  const text = JSON.stringify(Array.from({ length: RECORDS }, (_, nth) => ({ id: nth, name: 'a'.repeat(40) })));
  const body = Buffer.allocUnsafeSlow(text.length);
  body.write(text);
  return body;
}

describe('reading a large page', () => {
  it('takes a turn of the event loop for each part of a document and of its list', async () => {
    const body = pageBody();
    const parts = Math.floor(body.length / SIZES.partBytes);
    const outline = () => readJsonOutline(spooledInMemory(body), [[]], { ...SIZES, maxElementBytes: 2 ** 20 });
    expect(await turnsDuring(outline)).toBeGreaterThanOrEqual(parts);
    expect(await turnsDuring(() => openPage(body, SIZES))).toBeGreaterThanOrEqual(2 * parts);
  });

  it('takes a turn for each 200 records of a document that is parsed as a whole', async () => {
    const open = () => openPage(pageBody(), { ...SIZES, wholeBytes: 2 ** 23 });
    expect(await turnsDuring(open)).toBeGreaterThanOrEqual(RECORDS / 200 - 1);
  });

  it('frees each part after it was parsed', async () => {
    const content = spooledInMemory(pageBody());
    const buffers: Buffer[] = [];
    const body = {
      ...content,
      read: async (start: number, end: number) => {
        const copy = Buffer.allocUnsafeSlow(end - start);
        (await content.read(start, end)).copy(copy);
        buffers.push(copy);
        return copy;
      },
    };
    const { lists } = await readJsonOutline(body, [[]], { ...SIZES, maxElementBytes: 2 ** 20 });
    let records = 0;
    for await (const part of readJsonList(body, lists[0] as FoundList)) {
      records += part.length;
      expect(buffers.map(({ length }) => length)).toEqual(buffers.map(() => 0));
    }
    expect(records).toBe(RECORDS);
  });

  it('frees the body when the page is closed', async () => {
    const body = pageBody();
    const limits = { ...SIZES, folder: tmpdir(), wholeBytes: 0, maxBytes: 2 ** 23 };
    const page = await openTapPage(buildReading(), { ...buildReply(), body }, {}, limits);
    expect(body.length).toBeGreaterThan(0);
    await page.close();
    expect(body.length).toBe(0);
  });
});
