import { beforeEach, expect, it } from 'vitest';
import { ConnectorTap } from '../../../src/catalog/model/connector-tap.js';
import { createOrm } from '../../../src/database/orm.js';
import { EntityTables } from '../../../src/kernel/entities/entity-tables.js';
import { DatabaseUnavailable } from '../../../src/kernel/errors.js';
import { decodeId, newId } from '../../../src/kernel/ids.js';
import { Reader } from '../../../src/kernel/reading/reader.js';

const tables = new EntityTables(createOrm('postgres://127.0.0.1/none').getMetadata());
const columns = [...tables.of(ConnectorTap).columns.keys()];
const [connector, tap] = [newId(), newId()];
const row = columns.map((name) => ({ connector: decodeId(connector), id: decodeId(tap) })[name as 'id'] ?? null);

const statements: string[] = [];
let fault: Error | undefined;

beforeEach(() => {
  statements.length = 0;
  fault = undefined;
});

function aReader(): Reader {
  return new Reader(tables, {
    query: async ({ text }) => {
      statements.push(text);
      if (fault) throw fault;
      return { rows: text.includes('count(*)') ? [['1']] : [row] };
    },
  });
}

const READS: Record<string, (read: Reader) => PromiseLike<unknown> | unknown> = {
  'a list': (read) => read.select(ConnectorTap, { limit: 5 }),
  'a number of rows': (read) => read.count(ConnectorTap),
  'a custom statement': (read) => read.rows('select 1', ['a']),
  'rows of a custom statement': (read) => read.notedRows(ConnectorTap, ({ select }) => select, []),
  'rows by relation': (read) => read.many(ConnectorTap, 'connector', connector),
  'a row by id': (read) => read.byId(ConnectorTap, tap),
};

it.each(Object.entries(READS))('reuses the result or the error of the first execution: %s', async (_, ask) => {
  const first = aReader().over(tables);
  const expected = await ask(first);
  expect([await ask(first.again()), statements.length]).toEqual([expected, 1]);

  fault = new Error('canceled');
  const failing = aReader().over(tables);
  const error = await Promise.resolve(ask(failing)).catch((thrown: unknown) => thrown);
  fault = undefined;
  expect(error).toBeInstanceOf(Error);
  await expect(ask(failing.again())).rejects.toBe(error);
  expect(statements.length).toBe(2);
});

it('sends the statements that the first execution did not send, unless the database is unavailable', async () => {
  const first = aReader().over(tables);
  await first.select(ConnectorTap, { limit: 5 });
  expect(await first.again().select(ConnectorTap, { limit: 6 })).toHaveLength(1);
  const lost = new DatabaseUnavailable(new Error('lost'));
  await expect(first.again(lost).select(ConnectorTap, { limit: 7 })).rejects.toThrow(lost.message);
  expect(statements.length).toBe(2);
});

it('keeps no result in a reader that does not belong to a query, such as the reader of a worker', async () => {
  const read = aReader();
  await read.rows('select 1', []);
  await read.again().rows('select 1', []);
  expect(statements.length).toBe(2);
});
