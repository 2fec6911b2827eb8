import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { TENANT_SETTING } from '../../../../src/kernel/entities/tenant-table.js';
import { decodeId, newId } from '../../../../src/kernel/ids.js';
import { captureBoundStatements, type Statement } from '../../../support/database/captured-statements.js';
import { queryAsOwner } from '../../../support/database/owner-queries.js';
import { loginTo } from '../../../support/database/runtime-role.js';
import { queryField } from '../../../support/service/callers.js';
import { ID, TIME } from '../../../support/service/replies.js';
import { aService, type Client, type Reply } from '../../../support/service/service.js';
import { createTestWorkspace } from '../../../support/service/test-workspace.js';

const service = aService();
const editor = service.as('editor');
const REQUESTS = '/api/connector-requests/connector-requests';

function requestConnector(fields: object, client: Client = editor): Promise<Reply> {
  return client.post(REQUESTS, fields);
}

async function aConnectorRequest(connectorName: string, client: Client = editor): Promise<{ id: string }> {
  const { status, body } = await requestConnector({ connectorName }, client);
  expect(status).toBe(200);
  return body.data;
}

function read(id: string, client: Client = service.as('viewer')): Promise<Reply> {
  return client.request(`/api/connector-requests/${id}`);
}

async function expectRefused(fields: object, sentence: string): Promise<void> {
  const { status, body } = await requestConnector(fields);
  expect([status, body]).toEqual([400, { error: `BAD_REQUEST: ${sentence}` }]);
}

function requestsNamed(name: string): Promise<object[]> {
  return queryAsOwner(service, 'select 1 from connector_request where lower(connector_name) = lower($1)', [name]);
}

async function move(id: string, status: string): Promise<void> {
  const query = `mutation ($id: Base62Id!) { moveConnectorRequest(id: $id, status: ${status}) { id } }`;
  await queryField(service.as('operator'), query, { id });
}

describe('POST /api/connector-requests/connector-requests', () => {
  it('requires authentication', async () => {
    expect((await requestConnector({ connectorName: 'Acme' }, service)).status).toBe(401);
    expect(await requestsNamed('Acme')).toEqual([]);
  });

  it('creates a request', async () => {
    const { status, body } = await requestConnector({
      connectorName: 'Acme Warehouse',
      notes: 'Orders.\nOnce an hour.',
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      data: {
        ...{ id: ID, connectorName: 'Acme Warehouse', notes: 'Orders.\nOnce an hour.', status: 'pending' },
        ...{ createdAt: TIME, updatedAt: TIME },
      },
      meta: { requestId: expect.any(String), totalCount: null },
    });
  });

  it.each([
    ['one character', 'A'],
    ['200 characters', 'x'.repeat(200)],
    ['200 characters beyond the Basic Multilingual Plane', '𐌀'.repeat(200)],
    ['quotes and a percent sign', `"50 %" 'off'; --`],
  ])('accepts a name of %s unchanged', async (_, connectorName) => {
    const { body } = await requestConnector({ connectorName });
    expect((await read(body.data.id)).body.data.connectorName).toBe(connectorName);
  });

  it.each([
    ['no name', {}, 'connectorName is missing.'],
    ['null', { connectorName: null }, 'connectorName is not a valid String.'],
    ['an empty name', { connectorName: '' }, 'connectorName must have 1 or more characters.'],
    ['a blank name', { connectorName: ' \t\n\u00a0' }, 'connectorName must not be blank.'],
    ['201 characters', { connectorName: 'x'.repeat(201) }, 'connectorName must have 200 or fewer characters.'],
    ['a number', { connectorName: 731 }, 'connectorName is not a valid String.'],
    ['a boolean', { connectorName: true }, 'connectorName is not a valid String.'],
    ['a list', { connectorName: ['secret'] }, 'connectorName is not a valid String.'],
    ['an object', { connectorName: { secret: 1 } }, 'connectorName is not a valid String.'],
  ])('rejects %s with the name of the field but not its value', async (_, fields, sentence) => {
    await expectRefused(fields, sentence);
  });

  it('accepts notes of at most 4,000 characters', async () => {
    const notes = 'n'.repeat(4_000);
    const { body } = await requestConnector({ connectorName: 'Long notes', notes });
    expect(body.data.notes).toBe(notes);
    await expectRefused(
      { connectorName: 'Longer notes', notes: `${notes}n` },
      'notes must have 4000 or fewer characters.',
    );
    await expectRefused({ connectorName: 'Odd notes', notes: 731 }, 'notes is not a valid String.');
    expect(await requestsNamed('Longer notes')).toEqual([]);
  });

  it.each([null, ''])('omits notes that are %j', async (notes) => {
    const { status, body } = await requestConnector({ connectorName: `Notes ${notes}`, notes });
    expect([status, Object.keys(body.data)]).toEqual([200, expect.not.arrayContaining(['notes'])]);
  });

  it.each(['status', 'tenantId', 'id', 'createdBy', 'connectorname'])('rejects the field %s', async (name) => {
    const fields = { connectorName: 'Unknown field', [name]: 'completed' };
    await expectRefused(fields, `"${name}" is not a parameter of this URL.`);
    expect(await requestsNamed('Unknown field')).toEqual([]);
  });

  it('returns the open request with the same name, ignoring case and surrounding spaces', async () => {
    const { id } = await aConnectorRequest('Blue Ox');
    for (const name of ['blue ox', 'BLUE OX', '  Blue Ox\n', '\u00a0blue Ox'])
      expect((await aConnectorRequest(name)).id).toBe(id);
    expect((await requestConnector({ connectorName: 'blue ox', notes: 'me too' })).body.data).toMatchObject({
      ...{ id, connectorName: 'Blue Ox' },
    });
    expect(await requestsNamed('Blue Ox')).toHaveLength(1);
    expect((await aConnectorRequest('Blue  Ox')).id).not.toBe(id);
  });

  it('appends new notes to the open request as a paragraph, but repeated notes only once', async () => {
    const add = async (notes: string) => (await requestConnector({ connectorName: 'Noted Ox', notes })).body.data;
    const { id } = await aConnectorRequest('Noted Ox');
    expect(await add('Orders.')).toMatchObject({ id, notes: 'Orders.' });
    expect(await add(' Stock.\n')).toMatchObject({ id, notes: 'Orders.\n\nStock.' });
    for (const notes of ['Orders.', 'Stock.', ' Orders. ', 'Orders.\n\nStock.', ' \n'])
      expect((await add(notes)).notes).toBe('Orders.\n\nStock.');
    expect((await add('Stock')).notes).toBe('Orders.\n\nStock.\n\nStock');
    expect((await read(id)).body.data.notes).toBe('Orders.\n\nStock.\n\nStock');
    const actions = await queryAsOwner(
      service,
      `select action from audit_entry where object_id = $1 and action = 'connector_request.notes_added'`,
      [decodeId(id)],
    );
    expect(actions).toHaveLength(3);
  });

  it('returns 409 if the notes exceed 4,000 characters in total, and keeps the existing notes', async () => {
    const full = '𐌀'.repeat(3_990);
    await requestConnector({ connectorName: 'Full Ox', notes: full });
    const refused = await requestConnector({ connectorName: 'Full Ox', notes: 'n'.repeat(9) });
    expect([refused.status, refused.body.error]).toEqual([
      409,
      expect.stringMatching(/^CONFLICT: .*8 of 4,000 characters left\. Shorten or omit notes\.$/),
    ]);
    expect((await requestConnector({ connectorName: 'Full Ox' })).body.data.notes).toBe(full);
    expect((await requestConnector({ connectorName: 'Full Ox', notes: full })).body.data.notes).toBe(full);
    const fits = await requestConnector({ connectorName: 'Full Ox', notes: 'n'.repeat(8) });
    expect([...fits.body.data.notes]).toHaveLength(4_000);
    const none = await requestConnector({ connectorName: 'Full Ox', notes: 'n' });
    expect([none.status, none.body.error]).toEqual([409, expect.stringContaining('0 of 4,000 characters left')]);
  });

  it('keeps the notes of concurrent callers', async () => {
    await aConnectorRequest('Crowded Ox');
    const all = Array.from({ length: 20 }, (_, nth) => `Note ${nth}.`);
    await Promise.all(all.map((notes) => requestConnector({ connectorName: 'Crowded Ox', notes })));
    const { notes } = (await requestConnector({ connectorName: 'Crowded Ox' })).body.data;
    expect(notes.split('\n\n').sort()).toEqual(all.toSorted());
  });

  it('returns the open request with its current status', async () => {
    const { id } = await aConnectorRequest('Green Ox');
    await move(id, 'under_review');
    expect(await aConnectorRequest('green ox')).toMatchObject({ id, status: 'under_review' });
  });

  it.each(['declined', 'duplicate'])(
    'creates a new request if the request with the same name is %s',
    async (status) => {
      const { id } = await aConnectorRequest(`Ox ${status}`);
      await move(id, status);
      const next = await aConnectorRequest(`Ox ${status}`);
      expect(next).toMatchObject({ status: 'pending' });
      expect(next.id).not.toBe(id);
      expect((await aConnectorRequest(`Ox ${status}`)).id).toBe(next.id);
    },
  );

  it('creates a separate request in another workspace', async () => {
    const { id } = await aConnectorRequest('Shared Ox');
    await createTestWorkspace(service, 'neighbours');
    const other = service.as('editor', { slug: 'neighbours' });
    const own = await aConnectorRequest('shared ox', other);
    expect(own.id).not.toBe(id);
    expect((await aConnectorRequest('SHARED OX', other)).id).toBe(own.id);
    expect(await requestsNamed('Shared Ox')).toHaveLength(2);
  });

  it('finds the open request of a name through an index, under row level security', async () => {
    const workspace = await createTestWorkspace(service, 'busy');
    const busy = service.as('editor', { slug: workspace });
    await queryAsOwner(
      service,
      `insert into connector_request (id, tenant_id, created_at, created_by, updated_at, updated_by, connector_name, status)
       select gen_random_uuid(), w.id, now(), w.id, now(), w.id, 'Request ' || n, 'pending'
       from workspace w, generate_series(1, 5000) n where slug = $1`,
      [workspace],
    );
    await queryAsOwner(service, 'analyze connector_request');
    const statements = await captureBoundStatements(() => aConnectorRequest('request 4711', busy));
    const lookup = statements.find(({ text }) => /from "connector_request"/.test(text)) as Statement;
    const [tenant] = await queryAsOwner(service, 'select id from workspace where slug = $1', [workspace]);
    const client = new pg.Client({ connectionString: loginTo(service).url });
    await client.connect();
    await client.query(`select set_config('${TENANT_SETTING}', $1, false)`, [tenant?.id]);
    const { rows } = await client.query(`explain ${lookup.text}`, lookup.values);
    await client.end();
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/connector_request_tenant_id_name_key_index[\s\S]*Index Cond: .*name_key = 'request 4711'/);
  });

  it('creates 50 requests for 50 concurrent names', async () => {
    const ids = await Promise.all(Array.from({ length: 50 }, (_, nth) => aConnectorRequest(`Herd ${nth}`)));
    expect(new Set(ids.map(({ id }) => id)).size).toBe(50);
  });

  // During the first case, the pool may still open connections, so the requests may not overlap.
  it.each(['Red', 'Brown', 'Pied', 'Dun'])(
    'creates one request for 50 concurrent calls with the name %s',
    async (name) => {
      const names = Array.from({ length: 50 }, (_, nth) => (nth % 2 ? name : ` ${name.toUpperCase()} `));
      const replies = await Promise.all(names.map((connectorName) => requestConnector({ connectorName })));
      expect(replies.map(({ status }) => status)).toEqual(Array(50).fill(200));
      expect(new Set(replies.map(({ body }) => body.data.id)).size).toBe(1);
      expect(await requestsNamed(name)).toHaveLength(1);
    },
  );
});

describe('GET /api/connector-requests/{id}', () => {
  it('requires authentication', async () => {
    expect((await read(newId(), service)).status).toBe(401);
  });

  it('returns the request', async () => {
    const made = await aConnectorRequest('White Ox');
    const { status, body } = await read(made.id);
    expect([status, body.data]).toEqual([200, made]);
  });

  it('returns the current status', async () => {
    const { id } = await aConnectorRequest('Black Ox');
    await move(id, 'under_review');
    expect((await read(id)).body.data.status).toBe('under_review');
  });

  it('returns the same 404 for an unknown request and for a request of another workspace', async () => {
    const { id } = await aConnectorRequest('Grey Ox');
    await createTestWorkspace(service, 'strangers');
    const stranger = service.as('owner', { slug: 'strangers' });
    const [never, foreign] = [await read(newId(), stranger), await read(id, stranger)];
    expect([never.status, never.body]).toEqual([404, { error: 'NOT_FOUND: The connector request does not exist.' }]);
    expect([foreign.status, foreign.body]).toEqual([404, never.body]);
    expect((await read(id)).status).toBe(200);
  });

  it.each(['1', 'connector-requests', '0'.repeat(22), `${newId()}0`, `${newId().slice(1)}-`, '%20'])(
    'rejects the id %s',
    async (id) => {
      const { status, body } = await read(id);
      expect([status, body.error]).toEqual([
        400,
        expect.stringMatching(/^BAD_REQUEST: id .*22 characters of 0-9, A-Z and a-z/),
      ]);
    },
  );
});
