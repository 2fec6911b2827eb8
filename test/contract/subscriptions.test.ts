import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, type GraphQLField, getNamedType } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHANGE_CHANNEL } from '../../src/kernel/changes/change.js';
import { decodeId, encodeId, newId } from '../../src/kernel/ids.js';
import { PROJECT_ROOT } from '../../src/kernel/project-root.js';
import { IN_CATALOG } from '../../src/tables/existing-table.js';
import { queryAsOwner } from '../support/database/owner-queries.js';
import { SUBSCRIPTION_FIELDS } from '../support/isolation/permission-matrix.js';
import { type TenantRows, tenantRows } from '../support/isolation/tenant-rows.js';
import { createIsolationWorkspace } from '../support/isolation/workspace-fixtures.js';
import { anApiKeyClient, queryField } from '../support/service/callers.js';
import { type LiveStream, openStream } from '../support/service/live-stream.js';
import { createTestWorkspace } from '../support/service/test-workspace.js';
import { aConnectedWorkspace } from '../support/sources/connected-workspace.js';

const schema = buildSchema(readFileSync(join(PROJECT_ROOT, 'schema', 'schema.graphql'), 'utf8'));
const fields = Object.values(schema.getSubscriptionType()?.getFields() ?? {});

/** For each type, a query for the ids that a subscription in the workspace `$1` can send. */
const IDS: Record<string, string> = {
  TenantConnectorInstance: 'select id from tenant_connector_instance where tenant_id = $1 and deleted_at is null',
  SyncJob: 'select id from sync_job where tenant_id = $1',
  Publication: 'select id from publication where tenant_id = $1',
  TableQualityResult: `
    select result.id from table_quality_result result
    join table_contract contract on contract.id = result.contract_id
    join catalog_table on catalog_table.id = contract.table_id
    where result.tenant_id = $1 and ${IN_CATALOG}`,
};

const FOREIGN = 'foreign-streams';
const connected = await aConnectedWorkspace();
const { service } = connected;
let rows: TenantRows;
let ourTenant: string;
let theirTenant: string;

const typeOf = (field: GraphQLField<unknown, unknown>): string => getNamedType(field.type).name;
const queryOf = (field: GraphQLField<unknown, unknown>): string =>
  `subscription { data: ${field.name} { ${typeOf(field) === 'TableQualityResult' ? 'resultId' : 'id'} } }`;

/** Sends the notification of a change. The object need not exist in the workspace. */
async function announce(field: GraphQLField<unknown, unknown>, tenantId: string, id: string): Promise<void> {
  const payload = [typeOf(field), decodeId(tenantId), decodeId(id)].join(' ');
  await queryAsOwner(service, 'select pg_notify($1, $2)', [CHANGE_CHANNEL, payload]);
}

async function theirObject(field: GraphQLField<unknown, unknown>): Promise<string> {
  const [row] = await queryAsOwner(service, `${IDS[typeOf(field)]} limit 1`, [decodeId(theirTenant)]);
  return encodeId(row?.id);
}

async function nextData(stream: LiveStream): Promise<unknown> {
  const { data, errors } = await stream.next();
  expect(errors).toBeUndefined();
  return data.data && Object.values(data.data)[0];
}

describe('subscriptions', () => {
  beforeAll(async () => {
    rows = await tenantRows(service.databaseUrl);
    const theirs = await createIsolationWorkspace(connected, rows, await createTestWorkspace(service, FOREIGN));
    theirTenant = theirs.tenantId;
    ourTenant = (await queryField(service.as('viewer'), '{ me { tenantId } }')).tenantId;
  });
  afterAll(() => rows.close()); // The client must disconnect before the service drops its database.

  it('the permission matrix has a row for every subscription', () => {
    expect(SUBSCRIPTION_FIELDS.map(({ field }) => field).sort()).toEqual(fields.map(({ name }) => name).sort());
  });

  describe.each(fields)('$name', (field) => {
    it('sends no event of another workspace, and reads no object of it', async () => {
      const id = await theirObject(field);
      const ours = await openStream(service, queryOf(field));
      const theirs = await openStream(service, queryOf(field), { slug: FOREIGN });
      await announce(field, theirTenant, id);
      expect(await nextData(theirs)).toBe(id);
      await announce(field, ourTenant, id);
      expect(await nextData(ours)).toBeNull();
      expect([ours.results, theirs.results]).toEqual([[], []]);
      for (const stream of [ours, theirs]) stream.close();
    });

    it('rejects callers as in the permission matrix', async () => {
      const row = SUBSCRIPTION_FIELDS.find((one) => one.field === field.name);
      const found: Record<string, string> = {};
      for (const role of ['owner', 'admin', 'editor', 'operator', 'viewer'] as const)
        found[role] = await markOf(field, await openStream(service, queryOf(field), { role }));
      const anonymous = await openStream(service, queryOf(field), { headers: { authorization: '' } });
      expect(await anonymous.next()).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
      expect(await keyMark(field)).toBe('.');
      expect({ ...found, anonymous: '.', key: '.' }).toEqual(row?.marks);
    });
  });
});

/** Returns `x` if the stream sends events, and otherwise the error code. */
async function markOf(field: GraphQLField<unknown, unknown>, stream: LiveStream): Promise<string> {
  await announce(field, ourTenant, newId());
  const { errors } = await stream.next();
  stream.close();
  return errors ? errors[0].extensions.code : 'x';
}

async function keyMark(field: GraphQLField<unknown, unknown>): Promise<string> {
  const key = await anApiKeyClient(service, []);
  const { text } = await key.post('/graphql/stream', { query: queryOf(field) });
  return text.includes('"code":"FORBIDDEN"') ? '.' : text;
}
