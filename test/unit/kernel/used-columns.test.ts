import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { PlatformVendor } from '../../../src/catalog/model/platform-vendor.js';
import { createOrm } from '../../../src/database/orm.js';
import { EntityTables } from '../../../src/kernel/entities/entity-tables.js';
import { type QueryConnection, Reader } from '../../../src/kernel/reading/reader.js';
import { UsedColumns } from '../../../src/kernel/reading/used-columns.js';

const tables = new EntityTables(createOrm('postgres://127.0.0.1/none').getMetadata());

type Vendor = Record<string, unknown>;

/** The operation selects the name of vendors. `selected` records the columns of each statement. */
function anOperation() {
  const used = new UsedColumns(tables, new Map([['PlatformVendor', new Set(['name', 'groupings'])]]));
  const selected: string[][] = [];
  const connection: QueryConnection = {
    query: async ({ text }) => {
      const columns = (/^select (.*?) from/.exec(text)?.[1] ?? '').replaceAll('"', '').split(', ');
      selected.push(columns);
      return { rows: isEmpty ? [] : [columns.map((column) => (column === 'id' ? randomUUID() : null))] };
    },
  };
  let isEmpty = false;
  return {
    used,
    selected,
    /** `resolve` receives the vendor. */
    run: async (resolve: (vendor: Vendor) => unknown = () => undefined, rows = 1): Promise<void> => {
      isEmpty = rows === 0;
      const vendors = await new Reader(used, connection).select(PlatformVendor, { limit: 1 });
      for (const vendor of vendors) resolve(vendor as unknown as Vendor);
      used.settle();
    },
  };
}

const ALL = ['id', 'name', 'slug', 'description', 'sort_order', 'logo'];

describe('the columns of an operation', () => {
  it('are the fields of its document and the columns that resolvers used', async () => {
    const { run, selected } = anOperation();
    const resolve = ({ slug }: Vendor): unknown => slug;
    await run(resolve);
    await run(resolve);
    expect(selected).toEqual([ALL, ['name', 'slug']]);
  });

  it('grow by a column that a later execution needs, which makes the result of that execution invalid', async () => {
    const { run, used, selected } = anOperation();
    await run();
    const { revision } = used;
    await run();
    expect(used.revision).toBe(revision);
    await run(({ logo }) => logo);
    expect(used.revision).not.toBe(revision);
    await run(({ logo }) => logo);
    expect(selected.slice(1)).toEqual([['name'], ['name'], ['name', 'logo']]);
  });

  it('are all columns until rows were read', async () => {
    const { run, selected } = anOperation();
    await run(undefined, 0);
    await run(undefined, 0);
    expect(selected).toEqual([ALL, ALL]);
  });

  it('are all columns for a resolver that copies the row', async () => {
    const { run, selected } = anOperation();
    await run((vendor) => ({ ...vendor }));
    await run();
    expect(selected).toEqual([ALL, ALL]);
  });
});
