import { Writable } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import { decodeId } from '../../../../src/kernel/ids.js';
import { queryAsOwner } from '../../../support/database/owner-queries.js';
import { waitUntil } from '../../../support/database/test-jobs.js';
import { findLeaks } from '../../../support/secrets/find-leaks.js';
import { queryField } from '../../../support/service/callers.js';
import { aConnectedWorkspace, connect, getInstance } from '../../../support/sources/connected-workspace.js';
import { type FakeCredential, withWrongSecretValues } from '../../../support/vendors/fake-credential.js';
import { replyServerError, replyThrottled } from '../../../support/vendors/vendor-responses.js';

// biome-ignore lint/suspicious/noExplicitAny: data of any shape
type Data = any;

const lines: { level: number }[] = [];
const log = new Writable({
  write: (line, _, done) => {
    lines.push(JSON.parse(line));
    done();
  },
});
const { service, vendor, provider } = await aConnectedWorkspace({ JOBS: 'on' }, { log });
const editor = service.as('editor');
const bearer = vendor.credentials.bearer;
const ERROR = 50;

beforeEach(() => vendor.recover());

const create = async (credential: FakeCredential = bearer) => (await connect(editor, 'bearer', credential)).body.data;
const configure = async ({ id: instanceId }: Data, { authenticationConfig }: FakeCredential) =>
  (await editor.post('/api/connectors/configure', { instanceId, authenticationConfig })).body.data;

const reaches = (instance: Data, status: string) =>
  waitUntil(async () => (await getInstance(editor, instance)).credentialStatus === status);

const waiting = ({ credentialMetadataId }: Data) =>
  queryAsOwner(
    service,
    `select data, extract(epoch from start_after - now())::float8 as seconds from taproot_jobs.job
     where name = 'credential-test' and singleton_key = $1 and state = 'created'`,
    [credentialMetadataId],
  );

const triggersOf = async ({ id }: Data): Promise<string[]> => {
  const query = `query ($id: Base62Id!) { tenantConnectorInstance(id: $id) { credentials { validations { trigger } } } }`;
  const { credentials } = await queryField(editor, query, { id });
  return credentials[0].validations.map(({ trigger }: Data) => trigger);
};

const makeDue = ({ credentialMetadataId }: Data) =>
  queryAsOwner(
    service,
    "update taproot_jobs.job set start_after = now() where singleton_key = $1 and state = 'created'",
    [credentialMetadataId],
  );

describe('submitted credentials', () => {
  it('are tested automatically after a connection is created or configured', async () => {
    const instance = await create();
    await reaches(instance, 'valid');
    const wrong = await configure(instance, withWrongSecretValues(bearer));
    await reaches(wrong, 'invalid');
    expect(await triggersOf(wrong)).toEqual(['submitted']);
    await reaches(await configure(instance, bearer), 'valid');
  });

  it('are not tested before the sign-in with the vendor', async () => {
    const credential = provider.credentials.client_secret_basic;
    const { credentialMetadataId } = (await connect(editor, 'oauth2-auth-code-pkce', credential)).body.data;
    const jobs = await queryAsOwner(service, "select id from taproot_jobs.job where data->>'credentialId' = $1", [
      credentialMetadataId,
    ]);
    expect(jobs).toEqual([]);
  });
});

describe('valid credentials', () => {
  it('are tested again after about a day', async () => {
    const instance = await create();
    await reaches(instance, 'valid');
    const { credentialMetadataId: credentialId } = instance;
    expect(await waiting(instance)).toEqual([
      { data: { tenantId: expect.any(String), credentialId, trigger: 'periodic' }, seconds: expect.any(Number) },
    ]);
    const [{ seconds } = { seconds: 0 }] = await waiting(instance);
    expect(Math.abs(seconds / 3_600 - 24)).toBeLessThan(2.5);
    await makeDue(instance);
    await waitUntil(async () => (await triggersOf(instance)).length === 2);
    expect((await triggersOf(instance)).sort()).toEqual(['periodic', 'submitted']);
    expect(await waiting(instance)).toHaveLength(1);
  });

  it('are not tested after their replacement or the deletion of the connection, without an error report', async () => {
    const [replaced, deleted] = [await create(), await create()];
    for (const instance of [replaced, deleted]) await reaches(instance, 'valid');
    await configure(replaced, bearer);
    await editor.delete(`/api/vendors/tenant-connector-instances/${deleted.id}`);
    for (const instance of [replaced, deleted]) {
      await makeDue(instance);
      await waitUntil(async () => (await waiting(instance)).length === 0);
    }
    const states = () =>
      queryAsOwner(
        service,
        "select state from taproot_jobs.job where singleton_key = any($1) and state <> 'completed'",
        [[replaced.credentialMetadataId, deleted.credentialMetadataId]],
      );
    await waitUntil(async () => (await states()).length === 0);
    expect(lines.filter(({ level }) => level >= ERROR)).toEqual([]);
  });
});

describe('credentials with an inconclusive test', () => {
  it('are tested again after one minute, then after two', async () => {
    vendor.behave('/bearer/me', replyServerError());
    const instance = await create();
    const isDueIn = (minutes: number) => async () =>
      (await waiting(instance)).some(({ seconds }) => Math.abs(seconds / 60 - minutes) < 0.3);
    await waitUntil(isDueIn(1));
    await makeDue(instance);
    await waitUntil(isDueIn(2));
    expect((await getInstance(editor, instance)).connectionStatus).toBe('validation_pending');
    vendor.recover();
    await makeDue(instance);
    await reaches(instance, 'valid');
  });

  it('are not tested before the time in Retry-After', async () => {
    vendor.behave('/bearer/me', replyThrottled(600));
    const instance = await create();
    await waitUntil(async () => (await waiting(instance)).some(({ seconds }) => seconds > 0.89 * 600));
  });
});

it('tests credentials once they can be decrypted again, after hours of failures such as an outage of the Vault', async () => {
  const instance = await create();
  await reaches(instance, 'valid');
  const { credentialMetadataId: credential } = instance;
  const id = decodeId(credential);
  const [sealed] = await queryAsOwner(service, 'select config from sealed_credential where credential_id = $1', [id]);
  const keep = (config: unknown) =>
    queryAsOwner(service, 'update sealed_credential set config = $2 where credential_id = $1', [
      id,
      JSON.stringify(config),
    ]);
  const makeDueAgain = (state: string) =>
    queryAsOwner(
      service,
      'update taproot_jobs.job set start_after = now(), retry_count = 20 where singleton_key = $1 and state = $2 returning id',
      [credential, state],
    );

  await keep({ token: 'lost' });
  await makeDueAgain('created');
  await waitUntil(() => lines.some(({ level }) => level >= ERROR));
  await keep(sealed?.config);
  await waitUntil(async () => (await makeDueAgain('retry')).length > 0);
  await waitUntil(async () => (await triggersOf(instance)).length === 2);
  expect(await waiting(instance)).toHaveLength(1);
});

it('does not test rejected credentials again, so that the vendor does not lock the account', async () => {
  const instance = await create(withWrongSecretValues(bearer));
  await reaches(instance, 'invalid');
  expect(await waiting(instance)).toEqual([]);
});

it('stores no secret in a job', async () => {
  await reaches(await create(), 'valid');
  const jobs = await queryAsOwner(service, 'select to_jsonb(job)::text as text from taproot_jobs.job');
  expect(findLeaks(jobs.map(({ text }) => text).join('\n'), bearer.secrets)).toEqual([]);
  expect(decodeId(jobs[0] && JSON.parse(jobs[0].text).data.credentialId)).toBeDefined();
});
