import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { queryField } from '../../support/service/callers.js';
import { aConnectedWorkspace, connect } from '../../support/sources/connected-workspace.js';

const { service, vendor } = await aConnectedWorkspace();
const owner = service.as('owner');

const STATUSES = ['pending', 'running', 'succeeded', 'failed'] as const;
const JOB_COUNT = 24;

interface Job {
  id: string;
  status: string;
  isInitial: boolean;
  createdAt: string;
  startedAt?: string | null;
}

const FIELDS = 'id status isInitial createdAt startedAt';
const LIST = `query ($id: Base62Id!, $limit: Int, $offset: Int!, $filter: SyncJobFilter, $orderBy: SyncJobOrder) {
  root: syncJobs(instanceId: $id, limit: 250, offset: $offset, filter: $filter, orderBy: $orderBy) { total items { ${FIELDS} } }
  nested: tenantConnectorInstance(id: $id) {
    syncJobs(limit: $limit, offset: $offset, filter: $filter, orderBy: $orderBy) { ${FIELDS} }
    syncJobsTotal(filter: $filter)
  }
}`;

let instanceId: string;
let jobs: Job[];

beforeAll(async () => {
  instanceId = (await connect(owner, 'bearer', vendor.credentials.bearer)).body.data.id;
  for (let index = 0; index < JOB_COUNT; index++) {
    const status = STATUSES[(index * 7) % STATUSES.length];
    const startedAt = index % 3 ? new Date(Date.UTC(2026, 0, 31, 12, index % 5)).toISOString() : undefined;
    const input = { instanceId, externalId: `run ${index}`, status, ...(startedAt && { startedAt }) };
    await queryField(owner, 'mutation ($input: SyncJobInput!) { recordSyncJob(input: $input) { id } }', { input });
  }
  jobs = (await queryField(owner, `{ syncJobs(limit: 250) { items { ${FIELDS} } } }`)).items;
});

interface Query {
  limit: number | null;
  offset: number;
  filter: { status?: string[]; isInitial?: boolean; startedAt?: { from?: string; until?: string } } | null;
  orderBy: string | null;
}

/** The same list, from all rows in memory. */
function model({ limit, offset, filter, orderBy }: Query): { items: Job[]; total: number } {
  const { status, isInitial, startedAt } = filter ?? {};
  const isIn = (time?: string | null) =>
    Boolean(time && (!startedAt?.from || time >= startedAt.from) && (!startedAt?.until || time < startedAt.until));
  const isBounded = startedAt?.from !== undefined || startedAt?.until !== undefined;
  const matching = jobs.filter(
    (job) =>
      (!status || status.includes(job.status)) &&
      (isInitial === undefined || job.isInitial === isInitial) &&
      (!isBounded || isIn(job.startedAt)),
  );
  const [, column, direction] = /^(\w+)_(ASC|DESC)$/.exec(orderBy ?? 'CREATED_AT_DESC') as unknown as string[];
  const key = (job: Job) => (column === 'CREATED_AT' ? job.createdAt : job.startedAt);
  const compare = (a?: string | null, b?: string | null) =>
    a === b ? 0 : !a ? 1 : !b ? -1 : (a < b ? -1 : 1) * (direction === 'ASC' ? 1 : -1);
  const sorted = matching.sort((a, b) => compare(key(a), key(b)) || (a.id < b.id ? -1 : 1));
  return { items: sorted.slice(offset, offset + (limit ?? JOB_COUNT)), total: matching.length };
}

const time = fc.integer({ min: 0, max: 5 }).map((minute) => new Date(Date.UTC(2026, 0, 31, 12, minute)).toISOString());
const queries: fc.Arbitrary<Query> = fc.record({
  limit: fc.option(fc.integer({ min: 1, max: JOB_COUNT })),
  offset: fc.integer({ min: 0, max: JOB_COUNT }),
  filter: fc.option(
    fc.record(
      {
        status: fc.subarray([...STATUSES]),
        isInitial: fc.boolean(),
        startedAt: fc.record({ from: time, until: time }, { requiredKeys: [] }),
      },
      { requiredKeys: [] },
    ),
  ),
  orderBy: fc.constantFrom(null, 'CREATED_AT_ASC', 'CREATED_AT_DESC', 'STARTED_AT_ASC', 'STARTED_AT_DESC'),
});

describe('lists', () => {
  it('filter, order and page like a model of all rows, at the root and nested', async () => {
    await fc.assert(
      fc.asyncProperty(queries, async (query) => {
        const { body } = await owner.graphql(LIST, { id: instanceId, ...query });
        expect(body.errors).toBeUndefined();
        const { root, nested } = body.data;
        expect(root).toEqual(model({ ...query, limit: 250 }));
        expect({ items: nested.syncJobs, total: nested.syncJobsTotal }).toEqual(model(query));
      }),
      { numRuns: 60 },
    );
  });

  it('finds text without regard to case and without wildcards', async () => {
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

  it('filters the audit trail by actor, object and time', async () => {
    const trail = async (filter: object) =>
      await queryField(
        owner,
        'query ($filter: AuditEntryFilter) { auditEntries(filter: $filter) { total items { at actorId objectType objectId } } }',
        { filter },
      );
    const all = await trail({});
    const [entry] = all.items;
    const { actorId, objectType, objectId, at } = entry;
    const ofObject = await trail({ objectType: [objectType], objectId: [objectId], actorId: [actorId] });
    expect(ofObject.items.length).toBeGreaterThan(0);
    expect(ofObject.items.every((one: typeof entry) => one.objectId === objectId)).toBe(true);
    expect((await trail({ at: { from: at } })).items.every((one: typeof entry) => one.at >= at)).toBe(true);
    expect((await trail({ at: { until: all.items.at(-1).at } })).total).toBe(0);
  });

  it.each([
    ['limit', 'syncJobs(limit: 0) { id }', 'limit must be 1 or more.'],
    ['offset', 'syncJobs(offset: -1) { id }', 'offset must be 0 or more.'],
    ['text', `taps(filter: { name: "${'a'.repeat(101)}" }) { id }`, 'filter.name must have 100 or fewer characters.'],
  ])('rejects %s out of bounds', async (_, field, message) => {
    const { errors } = (await owner.graphql(`{ tenantConnectorInstance(id: "${instanceId}") { ${field} } }`)).body;
    expect([errors[0].extensions.code, errors[0].message]).toEqual(['BAD_REQUEST', message]);
  });
});
