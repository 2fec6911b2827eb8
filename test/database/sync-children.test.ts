import { expect, it } from 'vitest';
import { aPage, syncedTaps } from '../support/syncs/synced-taps.js';

const syncs = await syncedTaps();

type Issue = {
  readonly updated?: number;
  readonly gone?: boolean;
  readonly id: number;
  readonly number: number;
  readonly repository: string;
};

/**
 * The service reads the tap `comments` once per issue. Repository and number identify an issue. The returned function
 * runs a sync, and returns the issues whose comments the sync has requested, as `repository/number`.
 */
async function anIssueVendor(primaryKey: string, more: object = {}) {
  const edge = {
    ...{ from: 'issues', to: 'comments', parentKeyField: 'number', templateVariable: 'issue' },
    parentContextFields: [{ sourceField: 'repository', targetField: 'repository' }],
  };
  const connection = await syncs.createConnection(
    {
      issues: { sync: { mode: 'incremental', cursorField: 'updated' }, primaryKey, ...more },
      comments: { endpoint: '/{repository}/{issue}' },
    },
    { traversal: { rootTaps: ['issues'], edges: [edge] } },
  );
  return async (...issues: Issue[]): Promise<string[]> => {
    const requested: string[] = [];
    connection.vendor.issues = async function* () {
      yield aPage(issues);
    };
    connection.vendor.comments = async function* ({ variables: { repository, issue } }) {
      requested.push(`${repository}/${issue}`);
      yield aPage([]);
    };
    await syncs.start(connection);
    await syncs.runSteps(connection);
    return requested.sort();
  };
}

it.each(['id', 'none'])(
  'reads the children of two parents with the same key in different contexts (primary key %s)',
  async (primaryKey) => {
    const sync = await anIssueVendor(primaryKey);
    const issues = [
      { id: 1, number: 7, repository: 'api' },
      { id: 2, number: 7, repository: 'web' },
    ];
    expect(await sync(...issues)).toEqual(['api/7', 'web/7']);
  },
);

it('reads the children of a moved parent only under its new key', async () => {
  const sync = await anIssueVendor('id');
  expect(await sync({ id: 1, number: 7, repository: 'api' })).toEqual(['api/7']);
  expect(await sync({ id: 1, number: 9, repository: 'web' })).toEqual(['web/9']);
});

it('reads no children of a deleted parent in a table that readers merge', async () => {
  const sync = await anIssueVendor('id', { dataKind: 'snapshot', deletionMarker: 'gone' });
  const issue = { id: 1, number: 7, repository: 'api' };
  expect(await sync({ ...issue, updated: 1_000 })).toEqual(['api/7']);
  await syncs.world.query('update catalog_table set bytes = 1e15');
  expect(await sync({ ...issue, updated: 2_000, gone: true }, { ...issue, updated: 2_000 })).toEqual([]);
  const deletion = { id: 1, updated: 3_000, gone: true } as Issue;
  expect(await sync({ ...issue, updated: 2_500 }, deletion)).toEqual([]);
});

it('reads the children of several parents with one request, if the definition has a filter for them', async () => {
  const parentDataFilterQueryInject = { field: 'email', queryParam: 'users', chunkSize: 2 };
  const connection = await syncs.createConnection(
    { users: { dataKind: 'snapshot' }, logins: { restConfig: { parentDataFilterQueryInject } } },
    { traversal: { rootTaps: ['users'], edges: [{ from: 'users', to: 'logins', parentKeyField: 'id' }] } },
  );
  const requested: unknown[] = [];
  connection.vendor.users = async function* () {
    yield aPage(['c', 'a', 'e', 'b', 'd'].map((email, id) => ({ id, email })));
  };
  connection.vendor.logins = async function* ({ variables }) {
    requested.push(variables);
    yield aPage([]);
  };
  await syncs.start(connection);
  await syncs.runSteps(connection);
  const groups = [['a', 'b'], ['c', 'd'], ['e']];
  expect(requested).toEqual(groups.map((values) => ({ parentValues: JSON.stringify(values) })));
});

it('fails if two parent taps of one variable have more than 10,000 records to combine, and names both taps', async () => {
  const parentOf = (from: string, templateVariable: string) => ({
    ...{ from, to: 'visits', parentKeyField: 'id', templateVariable },
  });
  const edges = [parentOf('sites', 'site'), parentOf('users', 'person'), parentOf('guests', 'person')];
  const connection = await syncs.createConnection(
    { sites: {}, users: {}, guests: {}, visits: { endpoint: '/{site}/{person}' } },
    { traversal: { rootTaps: ['sites', 'users', 'guests'], edges } },
  );
  const recordsFrom = (first: number, count: number) =>
    async function* () {
      yield aPage(Array.from({ length: count }, (_, nth) => ({ id: first + nth })));
    };
  connection.vendor.sites = recordsFrom(0, 1);
  connection.vendor.users = recordsFrom(0, 6_000);
  connection.vendor.guests = recordsFrom(6_000, 4_001);
  await syncs.start(connection);
  await syncs.runSteps(connection);
  expect(await syncs.run(connection, 'visits')).toMatchObject({
    ...{ status: 'failed', error_class: 'contract' },
    error_message: expect.stringContaining('More than 10,000 records of the parent taps "users" and "guests" together'),
  });
});
