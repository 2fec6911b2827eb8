import { beforeAll, describe, expect, it } from 'vitest';
import { STATUS_TRANSITIONS } from '../../../src/catalog/requests/connector-request-status.js';
import { encodeId, newId } from '../../../src/kernel/ids.js';
import { queryAsOwner } from '../../support/database/owner-queries.js';
import { errorCodesOf, queryField, userIdOf } from '../../support/service/callers.js';
import { aService, type Client } from '../../support/service/service.js';
import { createTestWorkspace } from '../../support/service/test-workspace.js';

/** A copy of the transitions in the service, so that an accidental change fails this test. */
const ALLOWED: Record<string, string[]> = {
  pending: ['under_review', 'declined', 'duplicate'],
  under_review: ['accepted', 'declined', 'duplicate'],
  accepted: ['in_progress', 'declined', 'duplicate'],
  in_progress: ['completed', 'declined', 'duplicate'],
  completed: [],
  declined: [],
  duplicate: [],
};
const STATUSES = Object.keys(ALLOWED);
const PAIRS = STATUSES.flatMap((from) => STATUSES.map((to) => ({ from, to })));
const ORDER = ['under_review', 'accepted', 'in_progress', 'completed'];
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const MOVE = `mutation ($id: Base62Id!, $status: ConnectorRequestStatus!, $note: String, $connector: Base62Id, $grouping: Base62Id) {
  moveConnectorRequest(id: $id, status: $status, note: $note, resultConnectorId: $connector, resolvedGroupingId: $grouping) {
    id status updatedBy resultConnectorId resolvedGroupingId resolvedVendorId
    moves { from to movedAt movedBy note }
  }
}`;
const READ =
  'query ($id: Base62Id!) { connectorRequest(id: $id) { id status updatedBy moves { from to movedBy note } } }';

interface Offer {
  connector: string;
  grouping: string;
  vendor: string;
}

const service = aService();
const operator = service.as('operator');
/** `offer` and `second` have the same connector, in two groupings. `other` has a different connector. */
let offer: Offer;
let second: Offer;
let other: Offer;
let count = 0;

beforeAll(async () => {
  const rows = await queryAsOwner(
    service,
    `select id, connector_id, vendor_id from platform_vendor_grouping where connector_id in (
       select connector_id from platform_vendor_grouping group by connector_id having count(*) = 2
     ) order by connector_id, sort_order, id`,
  );
  [offer, second, other] = rows.map((row) => ({
    ...{ connector: encodeId(row.connector_id), grouping: encodeId(row.id), vendor: encodeId(row.vendor_id) },
  })) as [Offer, Offer, Offer];
});

async function aRequest(status = 'pending'): Promise<string> {
  count += 1;
  const query = `mutation { createConnectorRequest(connectorName: "Request ${count}") { id } }`;
  const { id } = await queryField(service.as('editor'), query);
  const steps = ORDER.includes(status) ? ORDER.slice(0, ORDER.indexOf(status) + 1) : [status];
  for (const step of status === 'pending' ? [] : steps) await queryField(operator, MOVE, variables(id, step));
  return id;
}

function variables(id: string, status: string): object {
  return { id, status, ...(status === 'completed' && { connector: offer.connector }) };
}

async function movesOf(id: string): Promise<{ from: string; to: string }[]> {
  return (await queryField(service.as('viewer'), READ, { id })).moves;
}

describe('moveConnectorRequest', () => {
  it('covers all statuses of the schema', () => {
    expect(Object.keys(STATUS_TRANSITIONS)).toEqual(STATUSES);
    expect(PAIRS).toHaveLength(49);
  });

  it.each(PAIRS)('$from to $to', async ({ from, to }) => {
    const id = await aRequest(from);
    const before = await movesOf(id);
    const isAllowed = ALLOWED[from]?.includes(to);
    expect(await errorCodesOf(operator, MOVE, variables(id, to))).toEqual(isAllowed ? [] : ['CONFLICT']);
    const { status, moves } = await queryField(operator, READ, { id });
    expect(status).toBe(isAllowed ? to : from);
    expect(moves.slice(before.length)).toMatchObject(isAllowed ? [{ from, to }] : []);
  });

  it('stores who moved the request, when and why, in order, and audits it', async () => {
    const id = await aRequest();
    const admin = service.as('admin');
    await queryField(operator, MOVE, { id, status: 'under_review', note: 'We look at it.' });
    const moved = await queryField(admin, MOVE, { id, status: 'declined' });
    const [operatorId, adminId] = await Promise.all(
      ['operator@demo.test', 'admin@demo.test'].map((email) => userIdOf(admin, email)),
    );
    expect(moved.moves).toEqual([
      { from: 'pending', to: 'under_review', movedAt: TIME, movedBy: operatorId, note: 'We look at it.' },
      { from: 'under_review', to: 'declined', movedAt: TIME, movedBy: adminId, note: null },
    ]);
    expect(moved).toMatchObject({ status: 'declined', updatedBy: adminId });
    const { items } = await queryField(
      admin,
      '{ auditEntries { items { actorId action objectType objectId details } } }',
    );
    expect(items.slice(0, 2)).toEqual([
      { ...entry(id, adminId as string), details: { from: 'under_review', to: 'declined' } },
      { ...entry(id, operatorId as string), details: { from: 'pending', to: 'under_review' } },
    ]);
  });

  function entry(objectId: string, actorId: string): object {
    return { actorId, action: 'connector_request.moved', objectType: 'ConnectorRequest', objectId };
  }

  it('accepts exactly one of 20 identical concurrent moves', async () => {
    const id = await aRequest();
    const codes = await Promise.all(
      Array.from({ length: 20 }, () => errorCodesOf(operator, MOVE, variables(id, 'under_review'))),
    );
    expect(codes.flat()).toEqual(Array(19).fill('CONFLICT'));
    expect(await movesOf(id)).toHaveLength(1);
    const trail = `select 1 from audit_entry where action = 'connector_request.moved' and object_id = (select id from connector_request where connector_name = $1)`;
    expect(await queryAsOwner(service, trail, [`Request ${count}`])).toHaveLength(1);
  });

  it('accepts one of two conflicting concurrent moves', async () => {
    const id = await aRequest('in_progress');
    const ways = ['completed', 'declined', 'duplicate', 'completed', 'declined', 'duplicate'];
    const codes = await Promise.all(ways.map((to) => errorCodesOf(operator, MOVE, variables(id, to))));
    expect(codes.flat()).toEqual(Array(5).fill('CONFLICT'));
    expect((await movesOf(id)).filter(({ from }) => from === 'in_progress')).toHaveLength(1);
  });

  it.each(['viewer', 'editor'] as const)('is forbidden for the %s', async (role) => {
    const id = await aRequest();
    expect(await errorCodesOf(service.as(role), MOVE, variables(id, 'under_review'))).toEqual(['FORBIDDEN']);
    expect(await movesOf(id)).toEqual([]);
    expect(await errorCodesOf(operator, MOVE, variables(id, 'under_review'))).toEqual([]);
  });

  it('returns NOT_FOUND for an unknown request and for a request of another workspace', async () => {
    await createTestWorkspace(service, 'elsewhere');
    const stranger = service.as('owner', { slug: 'elsewhere' });
    const id = await aRequest();
    expect(await errorCodesOf(operator, MOVE, variables(newId(), 'under_review'))).toEqual(['NOT_FOUND']);
    expect(await errorCodesOf(stranger, MOVE, variables(id, 'under_review'))).toEqual(['NOT_FOUND']);
    expect(await movesOf(id)).toEqual([]);
  });

  it('accepts a note of up to 4,000 characters', async () => {
    const id = await aRequest();
    const long = { id, status: 'under_review', note: 'n'.repeat(4_001) };
    expect(await errorCodesOf(operator, MOVE, long)).toEqual(['BAD_REQUEST']);
    expect(await errorCodesOf(operator, MOVE, { ...long, note: 'n'.repeat(4_000) })).toEqual([]);
  });
});

describe('completed', () => {
  function complete(id: string, outcome: object, client: Client = operator): Promise<string[]> {
    return errorCodesOf(client, MOVE, { id, status: 'completed', ...outcome });
  }

  it('contains the connector, its vendor and its first grouping, over GraphQL and REST', async () => {
    const id = await aRequest('in_progress');
    expect(await complete(id, { connector: offer.connector })).toEqual([]);
    const { data } = (await service.as('viewer').request(`/api/connector-requests/${id}`)).body;
    expect(data).toMatchObject({
      ...{ status: 'completed', resultConnectorId: offer.connector },
      ...{ resolvedGroupingId: offer.grouping, resolvedVendorId: offer.vendor },
    });
  });

  it('contains the requested grouping if it offers the connector', async () => {
    const id = await aRequest('in_progress');
    expect(await complete(id, { connector: offer.connector, grouping: other.grouping })).toEqual(['NOT_FOUND']);
    expect(await complete(id, { connector: offer.connector, grouping: newId() })).toEqual(['NOT_FOUND']);
    expect(await complete(id, { connector: offer.connector, grouping: second.grouping })).toEqual([]);
    const { data } = (await service.as('viewer').request(`/api/connector-requests/${id}`)).body;
    expect([data.resolvedGroupingId, data.resolvedVendorId]).toEqual([second.grouping, offer.vendor]);
    expect([second.connector, other.connector !== offer.connector]).toEqual([offer.connector, true]);
  });

  it('requires an existing connector', async () => {
    const id = await aRequest('in_progress');
    expect(await complete(id, {})).toEqual(['BAD_REQUEST']);
    expect(await complete(id, { grouping: offer.grouping })).toEqual(['BAD_REQUEST']);
    expect(await complete(id, { connector: newId() })).toEqual(['NOT_FOUND']);
    expect(await movesOf(id)).toHaveLength(3);
  });

  it.each(['under_review', 'declined', 'duplicate'])(
    'is the only status with a connector: %s has none',
    async (status) => {
      const id = await aRequest();
      const { connector, grouping } = offer;
      expect(await errorCodesOf(operator, MOVE, { id, status, connector })).toEqual(['BAD_REQUEST']);
      expect(await errorCodesOf(operator, MOVE, { id, status, grouping })).toEqual(['BAD_REQUEST']);
      expect(await errorCodesOf(operator, MOVE, { id, status })).toEqual([]);
    },
  );
});
