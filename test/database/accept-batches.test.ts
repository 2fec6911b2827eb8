import { describe, expect, it, vi } from 'vitest';
import { DeliveryIntake } from '../../src/ingest/delivery-intake.js';
import { decodeId, newId } from '../../src/kernel/ids.js';
import { captureStatements } from '../support/database/captured-statements.js';
import { loadedTables } from '../support/tables/loaded-tables.js';
import { pendingBatches, words } from '../support/tables/pending-batches.js';

const world = await loadedTables();
const { accept, waitingIn } = pendingBatches(world);

describe('accepting batches', () => {
  it('stores concurrent batches in few transactions and schedules a flush', async () => {
    const table = await world.aTable();
    const statements = await captureStatements(() =>
      Promise.all(Array.from({ length: 100 }, (_, nth) => accept(table, words(`${nth}`)))),
    );
    expect(statements.filter((text) => text.includes('insert into ingest_batch'))).toHaveLength(2);
    const jobs = await world.query(
      `select start_after > now() as later from taproot_jobs.job where data ->> 'tapId' = $1`,
      [table.tapId],
    );
    expect([await waitingIn(table), jobs]).toEqual([100, [{ later: true }]]);
  });

  it('flushes immediately if many records are pending', async () => {
    const table = await world.aTable();
    const large = words('x'.repeat(1_000_000));
    for (let nth = 0; nth < 17; nth++) await accept(table, large);
    const [job] = await world.query(
      `select bool_or(start_after <= now()) as due from taproot_jobs.job where data ->> 'tapId' = $1`,
      [table.tapId],
    );
    expect(job?.due).toBe(true);
  });

  it('rejects only the batch that the database rejects', async () => {
    const table = await world.aTable();
    const outcomes = await Promise.allSettled([
      accept(table, words('a')),
      accept(table, words('b'), { credentialId: newId() }),
      accept(table, words('c')),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await waitingIn(table)).toBe(2);
  });

  it('accepts an Idempotency-Key only for one body', async () => {
    const table = await world.aTable();
    const keyed = (word: string) => accept(table, words(word), { key: 'chosen', bodyHash: word });
    const outcomes = await Promise.allSettled([keyed('a'), keyed('a'), keyed('b')]);
    expect(outcomes).toMatchObject([
      { value: { accepted: 1, duplicates: 0 } },
      { value: { accepted: 0, duplicates: 1 } },
      { reason: { code: 'IDEMPOTENCY_KEY_REUSED' } },
    ]);
    await expect(keyed('b')).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(await waitingIn(table)).toBe(1);
  });

  it('does not store a delivery without records', async () => {
    const table = await world.aTable();
    expect(await accept(table, [])).toEqual({ accepted: 0, duplicates: 0, batchId: null });
    expect(await world.query('select from ingest_delivery where tap_id = $1', [decodeId(table.tapId)])).toEqual([]);
  });

  it('deletes expired deliveries even if nothing is flushed', async () => {
    const table = await world.aTable();
    await accept(table, words('old'), { keptUntil: new Date(Date.now() - 1_000) });
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 61_000);
    await accept(table, words('new')).finally(() => clock.mockRestore());
    expect(await world.query('select from ingest_delivery where tap_id = $1', [decodeId(table.tapId)])).toHaveLength(1);
  });

  it('rejects batches beyond the limit of pending records of a tap', async () => {
    const table = await world.aTable();
    const bounded = new DeliveryIntake(world.services, 10, 1_000);
    const send = (key: string) =>
      bounded.accept(table, {
        ...{
          key,
          keptUntil: new Date(Date.now() + 60_000),
          receivedAt: new Date(),
          body: '{}',
          records: 1,
          bytes: 600,
        },
      });
    await send('a');
    await expect(send('b')).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfter: expect.any(Number) });
    expect(await waitingIn(table)).toBe(1);
  });

  it('rejects concurrent deliveries that together exceed 128 MiB', async () => {
    const table = await world.aTable();
    const bytes = 100 * 1024 * 1024;
    const outcomes = await Promise.allSettled(['a', 'b'].map((word) => accept(table, words(word), { bytes })));
    expect(outcomes).toMatchObject([{ status: 'fulfilled' }, { reason: { code: 'UNAVAILABLE' } }]);
    await expect(accept(table, words('c'), { bytes })).resolves.toMatchObject({ accepted: 1 });
  });

  it('stores no batch if its job cannot be enqueued', async () => {
    const table = await world.aTable();
    const jobs = { ...world.services.jobs, enqueue: () => Promise.reject(new Error('no queue')) };
    const broken = new DeliveryIntake({ ...world.services, jobs: jobs as never }, 10);
    const body = words('a').join();
    const delivery = { key: 'k', keptUntil: new Date(), receivedAt: new Date(), records: 1, body, bytes: body.length };
    await expect(broken.accept(table, delivery)).rejects.toThrow();
    expect(await waitingIn(table)).toBe(0);
  });
});
