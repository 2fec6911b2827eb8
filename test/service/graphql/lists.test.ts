import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeId } from '../../../src/kernel/ids.js';
import { type TenantRows, tenantRows } from '../../support/isolation/tenant-rows.js';
import { createIsolationWorkspace, type IsolationWorkspace } from '../../support/isolation/workspace-fixtures.js';
import { propertyOf, type Row, type Selection, selectionsOf, selectRows } from '../../support/lists/list-model.js';
import { LIST_PARENTS, parentsIn, selectionOfParents } from '../../support/lists/list-parents.js';
import { nestedLists, rootLists, type SchemaList, selectionOfProperty } from '../../support/lists/schema-lists.js';
import { anInboundConnection } from '../../support/operations/tap-calls.js';
import { queryField } from '../../support/service/callers.js';
import { atScale } from '../../support/soak.js';
import { aConnectedWorkspace } from '../../support/sources/connected-workspace.js';
import { VENDOR_SLUG } from '../../support/vendors/fake-vendor-definitions.js';

const connected = await aConnectedWorkspace();
const { service } = connected;
const owner = service.as('owner');

const STATUSES = ['pending', 'running', 'succeeded', 'failed'] as const;
const JOB_COUNT = 24;

/** Properties that the interface uses in filters and orders, but does not return. */
const HIDDEN: string[] = [];

let rows: TenantRows;
let workspace: IsolationWorkspace;
let tapWithTokens: string;

const OF_TABLE = ['catalogTableFiles', 'catalogTableVersions', 'catalogTableSchemaChanges'];

function argumentsOf(root: string): string[] {
  if (root === 'tenantConnectorInstancesForVendor') return [`vendorSlug: "${VENDOR_SLUG}"`];
  if (root === 'ingestTokens') return [`tenantConnectorTapId: "${tapWithTokens}"`];
  return OF_TABLE.includes(root) ? [`id: "${workspace.live.table}"`] : [];
}

/** Returns the arguments of the root list that leads to the objects of a type. */
function rootArguments(type: string): string {
  const [root = ''] = LIST_PARENTS[type]?.split('.') ?? [];
  return [root.startsWith('tenantConnector') ? 'limit: 50' : 'limit: 250', ...argumentsOf(root)].join(', ');
}

interface FoundList {
  /** Id of the object with the list. */
  readonly parent: string;
  readonly rows: Row[];
  readonly total: number;
}

async function ask(list: SchemaList, selected: Selection): Promise<FoundList[]> {
  const { on, name, items, total, of, filters, orders } = list;
  const isRoot = on === 'Query';
  const own = isRoot ? argumentsOf(name) : [];
  // Filters, order and page are variables, because the service would validate each new document text again.
  const args = ['filter: $filter', 'orderBy: $orderBy', 'limit: $limit', 'offset: $offset', ...own].join(', ');
  const properties = new Set([...Object.keys(filters), ...orders.map(propertyOf)]);
  const fields = [...properties].map((property) => selectionOfProperty(of, property, property) ?? '').join(' ');
  const selection = items ? `${total} ${items} { id ${fields} }` : `id ${fields}`;
  const count = items ? '' : `${total}(${['filter: $filter', ...own].join(', ')})`;
  const lists = `${name}(${args}) { ${selection} } ${count}`;
  const query = isRoot ? lists : selectionOfParents(on, rootArguments(on), lists);
  const declared = `$filter: ${list.filterType}, $orderBy: ${list.orderType}, $limit: Int, $offset: Int`;
  const { body } = await owner.graphql(`query (${declared}) { ${query} }`, selected);
  expect(body.errors).toBeUndefined();
  return (isRoot ? [body.data] : parentsIn(on, body.data)).map((object) => ({
    parent: object.id,
    rows: ((items ? object[name][items] : object[name]) ?? []).map(flat),
    total: items ? object[name].total : object[total],
  }));
}

function flat(row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value?.id ?? value]));
}

/** Every nested list of these tests has at most 100 items. Larger pages would exceed the cost limit of an operation. */
const WHOLE: Selection = { limit: 100, offset: 0, filter: {}, orderBy: null };

describe('lists', () => {
  beforeAll(async () => {
    rows = await tenantRows(service.databaseUrl);
    workspace = await createIsolationWorkspace(connected, rows, 'demo');
    const { instance: instanceId, table } = workspace.live;
    tapWithTokens = (await queryField(owner, `{ catalogTable(id: "${table}") { tap { id } } }`)).tap.id;
    const { id } = await anInboundConnection(owner);
    await rows.run(
      `update tenant_connector_instance i set inbound_auth_strategy_id = s.id
       from inbound_auth_strategy s where s.connector_id = i.connector_id and i.id = $1`,
      [decodeId(id)],
    );
    for (let index = 0; index < JOB_COUNT; index++) {
      const status = STATUSES[(index * 7) % STATUSES.length];
      const startedAt = index % 3 ? new Date(Date.UTC(2026, 0, 31, 12, index % 5)).toISOString() : undefined;
      const input = { instanceId, externalId: `run ${index}`, status, ...(startedAt && { startedAt }) };
      await queryField(owner, 'mutation ($input: SyncJobInput!) { recordSyncJob(input: $input) { id } }', { input });
    }
  });

  afterAll(() => rows.close()); // The client must disconnect before the service drops its database.

  const lists = [...rootLists, ...nestedLists].map((list) => [`${list.on}.${list.name}`, list] as const);

  it.each(lists)('%s filters, orders and pages like a model of all rows', async (_, list) => {
    const whole = await ask(list, list.on === 'Query' ? { ...WHOLE, limit: 250 } : WHOLE);
    const all = whole.flatMap(({ rows }) => rows);
    expect(all.length).toBeGreaterThan(0);
    await fc.assert(
      fc.asyncProperty(selectionsOf(list, all), async (selection) => {
        const found = await ask(list, selection);
        expect(found.map(({ parent, rows, total }) => ({ parent, ids: rows.map(({ id }) => id), total }))).toEqual(
          whole.map(({ parent, rows }) => ({ parent, ...selectRows(list, rows, selection) })),
        );
      }),
      { numRuns: atScale(10, 500) },
    );
  });

  it('show each value that they filter or order by', () => {
    const hidden = [...rootLists, ...nestedLists].flatMap(({ of, filters, orders }) =>
      [...Object.keys(filters), ...orders.map(propertyOf)]
        .filter((property) => !selectionOfProperty(of, property, property))
        .map((property) => `${of.name}.${property}`),
    );
    expect([...new Set(hidden)]).toEqual(HIDDEN);
  });

  it.each(['STARTED_AT_ASC', 'STARTED_AT_DESC'])('%s sorts equal values by id, on all pages', async (orderBy) => {
    const { instance } = workspace.live;
    await rows.run(`update sync_job set started_at = '2026-01-31T12:00:00Z' where instance_id = $1`, [
      decodeId(instance),
    ]);
    const pages = Array.from(
      { length: JOB_COUNT / 4 },
      (_, page) => `p${page}: syncJobs(limit: 4, offset: ${page * 4}, orderBy: ${orderBy}) { id }`,
    );
    const data = await queryField(owner, `{ tenantConnectorInstance(id: "${instance}") { ${pages.join(' ')} } }`);
    const ids = pages.flatMap((_, page) => data[`p${page}`].map(({ id }: Row) => id));
    expect(ids).toEqual([...new Set(ids)].sort());
    expect(ids).toHaveLength(JOB_COUNT);
  });

  it('finds text in any case, and treats wildcards as text', async () => {
    const namesOf = async (name: string) =>
      (
        await queryField(
          owner,
          'query ($filter: PlatformVendorFilter) { platformVendors(filter: $filter) { items { name } } }',
          {
            filter: { name },
          },
        )
      ).items.map((one: { name: string }) => one.name);
    expect(await namesOf('GITH')).toEqual(['GitHub']);
    expect(await namesOf('git%')).toEqual([]);
  });

  it.each([
    ['limit', 'syncJobs(limit: 0) { id }', 'limit must be 1 or more.'],
    ['offset', 'syncJobs(offset: -1) { id }', 'offset must be 0 or more.'],
    ['text', `taps(filter: { name: "${'a'.repeat(101)}" }) { id }`, 'filter.name must have 100 or fewer characters.'],
  ])('rejects %s out of bounds', async (_, field, message) => {
    const { errors } = (
      await owner.graphql(`{ tenantConnectorInstance(id: "${workspace.live.instance}") { ${field} } }`)
    ).body;
    expect([errors[0].extensions.code, errors[0].message]).toEqual(['BAD_REQUEST', message]);
  });
});
