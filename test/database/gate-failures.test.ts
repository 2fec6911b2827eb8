import { describe, expect, it } from 'vitest';
import { decodeId } from '../../src/kernel/ids.js';
import type { TableHooks } from '../../src/tables/table-hooks.js';
import { captureStatements } from '../support/database/captured-statements.js';
import { gatedTables, ITEMS_SCHEMA } from '../support/quality/gated-tables.js';
import { changeContract, checkStatusesOf, spcOf } from '../support/quality/quality-results.js';
import { storedRows } from '../support/tables/loaded-tables.js';

const { world, accept, flush, aWatchedTable, qualityOfTap, wordsIn, waitingIn } = await gatedTables();

const NO_NULLS = { primaryKey: ['word'], rules: [{ type: 'primary_key_null' as const }] };

describe('rows that fail a GATE_1 check', () => {
  it('are rejected by batch with the failed checks, and all other rows are loaded', async () => {
    const table = await aWatchedTable(NO_NULLS);
    for (const word of ['a', 'b', null, 'c', null]) await accept(table, { word }, { word: word && `${word}${word}` });
    await flush(table);
    expect(await wordsIn(table)).toEqual(['a', 'aa', 'b', 'bb', 'c', 'cc', 'first']);
    const rejects = await storedRows(world, table, 'rejects');
    expect(rejects).toHaveLength(4);
    for (const reject of rejects)
      expect(reject).toMatchObject({ reason: expect.stringContaining('primary_key_null'), record: '{"word":null}' });
    expect(await waitingIn(table)).toBe(0);
  });

  it('keep the reason of rows that do not fit their columns', async () => {
    const table = await aWatchedTable(NO_NULLS);
    await accept(table, { word: null }, { word: 'a', size: 'many' }, { word: 'b', price: 1.234 }, { word: 'c' });
    await flush(table);
    const reasons = (await storedRows(world, table, 'rejects')).map(({ reason }) => reason as string);
    expect(reasons.map((reason) => reason.split(' ', 2).join(' '))).toEqual([
      'primary_key_null is',
      ...['column "size":', 'column "price":'],
      'primary_key_null is',
    ]);
    expect(await wordsIn(table)).toEqual(['first']);
  });

  it('create one result per rejected batch, without points, which later runs ignore', async () => {
    const table = await aWatchedTable({
      ...NO_NULLS,
      rules: [...NO_NULLS.rules, { type: 'row_count_delta', maxRate: 0 }],
    });
    await accept(table, { word: null }, { word: null });
    await flush(table);
    await accept(table, { word: 'a' });
    await flush(table);
    const [, stopped, flushed, ...others] = await qualityOfTap(table);
    expect(others).toEqual([]);
    expect(stopped).toMatchObject({ overallStatus: 'FAIL', lifecycle: 'promote', measures: null });
    expect(checkStatusesOf(flushed as never)).toEqual(['primary_key_null PASS', 'row_count_delta PASS']);
    expect((await spcOf(world.query, table.tableId, 'tap')).map(({ runId }) => runId)).not.toContain(stopped?.runId);
  });

  it('add no columns', async () => {
    const table = await aWatchedTable({ rules: [{ type: 'schema_columns' }], allowsNewColumns: false });
    await accept(table, { word: 'a' });
    await accept(table, { word: 'b', colour: 'red' });
    await accept(table, { word: 'c' });
    await flush(table);
    expect(await wordsIn(table)).toEqual(['a', 'c', 'first']);
    const [row] = await world.query('select schema, schema_version from catalog_table where id = $1', [
      decodeId(table.tableId),
    ]);
    expect(row).toEqual({ schema: ITEMS_SCHEMA, schema_version: 1 });
    expect(await storedRows(world, table, 'rejects')).toMatchObject([{ record: '{"word":"b","colour":"red"}' }]);
    const files = await world.query(
      'select distinct schema_version from table_file where table_id = $1 and state = $2',
      [decodeId(table.tableId), 'live'],
    );
    expect(files).toEqual([{ schema_version: 1 }]);
  });

  it.each([
    ['together', 1, 2],
    ['one by one after repeated failures', 5, 3],
  ])('are rejected %s, each batch with its own reason', async (_, attempt, commits) => {
    const table = await aWatchedTable({ rules: [{ type: 'row_count_min', minimum: 3 }], runScope: 'batch' });
    await accept(table, { word: 'a' });
    await accept(table, { word: 'b' }, { word: 'c' });
    await accept(table, { word: 'd' }, { word: 'e' }, { word: 'f' });
    const statements = await captureStatements(() => flush(table, world.services, attempt));
    expect(statements.filter((sql) => sql.startsWith('delete from ingest_batch'))).toHaveLength(commits);
    expect(await wordsIn(table)).toEqual(['d', 'e', 'f', 'first']);
    const reasons = (await storedRows(world, table, 'rejects'))
      .map(({ reason, record }) => `${reason} ${record}`)
      .sort();
    expect(reasons.map((text) => text.replace(/ \(.*\{/, ' {'))).toEqual([
      'row_count_min is 1 {"word":"a"}',
      'row_count_min is 2 {"word":"b"}',
      'row_count_min is 2 {"word":"c"}',
    ]);
    const [, ...results] = await qualityOfTap(table);
    expect(results.map(checkStatusesOf)).toEqual([
      ['row_count_min FAIL'],
      ['row_count_min FAIL'],
      ['row_count_min PASS'],
    ]);
    expect(await waitingIn(table)).toBe(0);
  });
});

it('the table and its contract are read once for all batches that are rejected together', async () => {
  const table = await aWatchedTable(NO_NULLS);
  for (let nth = 0; nth < 8; nth++) await accept(table, { word: null });
  const statements = await captureStatements(() => flush(table));
  const commits = statements.filter((sql) => sql.startsWith('delete from ingest_batch'));
  const reads = statements.filter((sql) => /^select .* from "(catalog_table|table_contract)" .* = any\(/s.test(sql));
  expect([commits.length, reads.length]).toEqual([1, 3]); // The commit reads the contract a second time.
});

describe('a contract with the run scope "batch"', () => {
  it('applies to later batches after a change during a flush', async () => {
    const table = await aWatchedTable({ runScope: 'batch', rules: [{ type: 'row_count_min', minimum: 1 }] });
    for (const word of ['a', 'b', 'c']) await accept(table, { word });
    let changed: Promise<unknown> | undefined;
    const { hooks: watch } = world.services;
    const meddled: TableHooks = {
      ...watch,
      async openGate(...given) {
        const gate = await watch.openGate(...given);
        changed ??= changeContract(world.query, table.tableId, 'tap', {
          rules: [{ type: 'row_count_min', minimum: 2 }],
        });
        await changed;
        return gate;
      },
    };
    await flush(table, { ...world.services, hooks: meddled });
    expect(await wordsIn(table)).toEqual(['a', 'first']);
  });

  it('loads every batch separately, with its own result', async () => {
    const table = await aWatchedTable({ runScope: 'batch', rules: [{ type: 'row_count_min', minimum: 2 }] });
    await accept(table, { word: 'a' }, { word: 'b' });
    await accept(table, { word: 'c' });
    await accept(table, { word: 'd' }, { word: 'e' });
    await flush(table);
    const [, ...results] = await qualityOfTap(table);
    expect(results.map(checkStatusesOf)).toEqual([
      ['row_count_min PASS'],
      ['row_count_min FAIL'],
      ['row_count_min PASS'],
    ]);
    expect(await wordsIn(table)).toEqual(['a', 'b', 'd', 'e', 'first']);
    expect(await storedRows(world, table, 'rejects')).toMatchObject([{ record: '{"word":"c"}' }]);
  });
});
