import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ObjectConverter } from '../../../src/tables/records/convert-object.js';
import { stageObjects } from '../../../src/tables/records/stage-objects.js';
import { StagingArea } from '../../../src/tables/staging/staging-area.js';
import type { TableSchema } from '../../../src/tables/table-schema.js';
import { turnsDuring } from '../../support/syncs/turns-during.js';

const MIB = 2 ** 20;
const schema: TableSchema = { fields: [{ name: 'text', type: 'String' }] };

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'taproot-staging-'));
});

afterAll(() => rm(folder, { recursive: true }));

describe('staging parsed records', () => {
  it('takes a turn of the event loop for each 50 records', async () => {
    const staged = await StagingArea.open(join(folder, randomUUID()), schema);
    const records = Array.from({ length: 1_000 }, () => ({ text: 'a' }));
    const stage = () => stageObjects({ records, receivedAt: new Date() }, staged, new ObjectConverter(schema));
    expect(await turnsDuring(stage)).toBeGreaterThanOrEqual(1_000 / 50);
    await staged.close();
  });

  it('frees what was written, without waiting for a collection', async () => {
    const staged = await StagingArea.open(join(folder, randomUUID()), schema);
    const converter = new ObjectConverter(schema);
    const records = Array.from({ length: 1_000 }, () => ({ text: 'a'.repeat(1_000) }));
    const before = process.memoryUsage().arrayBuffers;
    let peak = before;
    while (staged.bytes < 48 * MIB) {
      await stageObjects({ records, receivedAt: new Date() }, staged, converter);
      peak = Math.max(peak, process.memoryUsage().arrayBuffers);
    }
    await staged.close();
    expect((peak - before) / MIB).toBeLessThan(8);
  });
});
