import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Connector } from '../../../src/catalog/model/connector.js';
import { ConnectorTap } from '../../../src/catalog/model/connector-tap.js';
import { PlatformVendor } from '../../../src/catalog/model/platform-vendor.js';
import { PlatformVendorGrouping } from '../../../src/catalog/model/platform-vendor-grouping.js';
import { createOrm } from '../../../src/database/orm.js';
import { TenantConnectorInstance } from '../../../src/instances/tenant-connector-instance.js';
import { EntityTables, type Tables } from '../../../src/kernel/entities/entity-tables.js';
import { decodeId, encodeId, newId } from '../../../src/kernel/ids.js';
import type { EdgePlan } from '../../../src/kernel/reading/edge-plan.js';
import { type FollowedEdge, type FollowedRows, followedRows } from '../../../src/kernel/reading/followed-edges.js';
import { Reader } from '../../../src/kernel/reading/reader.js';

const all = new EntityTables(createOrm('postgres://127.0.0.1/none').getMetadata());

/** Columns that the operation uses. */
const USED = new Set(['id', 'name', 'connector', 'timeoutSeconds']);
const tables: Tables = { of: (entity) => all.of(entity).only(USED, () => undefined) };

const TAPS: EdgePlan = { kind: 'list', of: ConnectorTap, by: 'connector' };
const CONNECTOR: EdgePlan = { kind: 'row', by: 'connector', to: Connector, isNullable: true };
const INSTANCES: EdgePlan = { kind: 'list', of: TenantConnectorInstance, by: 'connector' };
const TREE = { kind: 'branch', of: () => PlatformVendorGrouping, by: 'vendor', part: 'parent' } as const;
const TOP: EdgePlan = { ...TREE, owner: 'id', parent: null };
const BELOW: EdgePlan = { ...TREE, owner: 'vendor', parent: 'id' };

const edge = (plan: EdgePlan, ...below: FollowedEdge[]): FollowedEdge => ({ plan, below });

function levels(...edges: FollowedEdge[]) {
  return followedRows('PlatformVendor', edges)?.levels.map(({ entity, above }) => [entity.name, above]);
}

describe('the rows that are read with a list', () => {
  it('include the edges that a query follows at each selected depth of a tree', () => {
    const connector = edge(CONNECTOR, edge(TAPS), edge(INSTANCES));
    expect(levels(edge(TOP, connector, edge(BELOW, edge(CONNECTOR, edge(TAPS)))))).toEqual([
      ['PlatformVendorGrouping', -1],
      ['Connector', 0],
      ['ConnectorTap', 1],
    ]);
  });

  it('omit rows that the request has already', () => {
    const vendor: EdgePlan = { kind: 'row', by: 'vendor', to: PlatformVendor, isNullable: false };
    expect(levels(edge(TOP, edge(vendor, edge(TOP))))).toEqual([['PlatformVendorGrouping', -1]]);
    expect(levels(edge({ ...vendor, by: 'parent' }))).toBeUndefined();
  });
});

/** The stubbed database returns two connectors with `taps` taps each. */
function aRequest(taps: number, edges = [edge(TAPS)], columns = tables) {
  const statements: { text: string; values: unknown[] }[] = [];
  const ids = [randomUUID(), randomUUID()];
  const arraysOf = (of: typeof Connector | typeof ConnectorTap, rows: Record<string, unknown>[]) =>
    tables.of(of).names.map((name) => JSON.stringify(rows.map((row) => row[name] ?? null)));
  const query = async ({ text, values = [] }: { text: string; values?: unknown[] }) => {
    statements.push({ text, values });
    if (!text.startsWith('with ')) return { rows: [] };
    const listed = ids.map((id) => ({ id, name: `connector ${id}`, timeoutSeconds: 5 }));
    const below = ids.flatMap((id) => Array.from({ length: taps }, (_, at) => ({ connector: id, name: `tap ${at}` })));
    return { rows: [[...arraysOf(Connector, listed), ...arraysOf(ConnectorTap, below)]] };
  };
  const tenant = newId();
  const read = new Reader(columns, { query }, tenant).following(followedRows('Connector', edges) as FollowedRows);
  return { read, statements, ids, tenant };
}

describe('a list whose edges a query follows', () => {
  it('is read with their rows in one statement', async () => {
    const { read, statements, ids } = aRequest(2);
    const connectors = await read.select(Connector, { limit: 50 });
    expect(connectors).toEqual([
      expect.objectContaining({ id: encodeId(ids[0] as string), name: `connector ${ids[0]}`, timeoutSeconds: 5 }),
      expect.objectContaining({ id: encodeId(ids[1] as string), name: `connector ${ids[1]}` }),
    ]);
    const taps = await read.eachList(ConnectorTap, 'connector', ids.map(encodeId));
    expect(taps.map((list) => list.map(({ name }) => name))).toEqual([
      ['tap 0', 'tap 1'],
      ['tap 0', 'tap 1'],
    ]);
    expect(statements).toHaveLength(1);
  });

  it('is read alone if the query selects JSON columns', async () => {
    const { statements, read } = aRequest(2, [edge(TAPS)], all);
    await read.select(Connector, { limit: 50 });
    expect(statements.map(({ text }) => text.startsWith('with '))).toEqual([false]);
  });

  it('charges the rows once, and again if they are used again', async () => {
    const { read, ids } = aRequest(100);
    const before = read.maxRows;
    await read.select(Connector, { limit: 50 });
    const charged = before - read.maxRows;
    const use = () => read.eachList(ConnectorTap, 'connector', ids.map(encodeId));
    await use();
    expect(before - read.maxRows).toBe(charged);
    await use();
    expect(before - read.maxRows).toBe(charged + 200);
  });

  it('ignores rows that exceed the limit of the request, because it may not use them', async () => {
    const { read, statements, ids } = aRequest(30_000);
    expect(await read.select(Connector, { limit: 50 })).toHaveLength(2);
    await read.eachList(ConnectorTap, 'connector', ids.map(encodeId));
    expect(statements.map(({ text }) => text.startsWith('with '))).toEqual([true, false]);
  });

  it('reads rows of workspaces only for the workspace of the caller', async () => {
    const { read, statements, tenant } = aRequest(0, [edge(INSTANCES)]);
    await read.select(Connector, { limit: 50 }).catch(() => undefined);
    const [{ text, values }] = statements as [(typeof statements)[0]];
    const [, parameter] = /from "tenant_connector_instance" where .*?\)\) and "tenant_id" = \$(\d+) /.exec(text) ?? [];
    expect(values[Number(parameter) - 1]).toBe(decodeId(tenant));
  });
});
