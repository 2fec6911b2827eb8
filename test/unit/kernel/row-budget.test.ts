import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { ConnectorTap } from '../../../src/catalog/model/connector-tap.js';
import { createOrm } from '../../../src/database/orm.js';
import { EntityTables } from '../../../src/kernel/entities/entity-tables.js';
import { newId } from '../../../src/kernel/ids.js';
import { Reader } from '../../../src/kernel/reading/reader.js';

const tables = new EntityTables(createOrm('postgres://127.0.0.1/none').getMetadata());
/** With more taps, the budget would count their strings as an additional row. */
const TAPS_PER_CONNECTOR = 10;

function aReader(): Reader {
  const { columns } = tables.of(ConnectorTap);
  return new Reader(tables, {
    query: async ({ values = [] }) => {
      const ofOne = (connector: string) =>
        Array.from({ length: TAPS_PER_CONNECTOR }, () =>
          [...columns.keys()].map((name) => (name === 'connector' ? connector : name === 'id' ? randomUUID() : null)),
        );
      return { rows: (values[0] as string[]).flatMap(ofOne) };
    },
  });
}

const WAYS: Record<string, (read: Reader, id: string, times: number) => Promise<unknown>> = {
  together: async (read, id, times) => read.eachList(ConnectorTap, 'connector', Array(times).fill(id)),
  'one after the other': async (read, id, times) =>
    Promise.all(Array.from({ length: times }, () => read.many(ConnectorTap, 'connector', id))),
  'in two groups': async (read, id, times) =>
    Promise.all(Array.from({ length: 2 }, () => read.eachList(ConnectorTap, 'connector', Array(times / 2).fill(id)))),
};

it.each(Object.entries(WAYS))('each use of a list that is still being read counts its rows: %s', async (_, ask) => {
  const id = newId();
  const read = aReader();
  const before = read.maxRows;
  await ask(read, id, 4);
  expect(before - read.maxRows).toBe(50 + 4 * TAPS_PER_CONNECTOR);
  await expect(ask(aReader(), id, 6_000)).rejects.toThrow(
    'The query reads more rows than the limit of 50,000. Select fewer fields, or request smaller pages.',
  );
});
