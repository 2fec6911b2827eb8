import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../../src/kernel/ids.js';
import { queryAsOwner } from '../../../support/database/owner-queries.js';
import { waitUntil } from '../../../support/database/test-jobs.js';
import { listenOnLoopback } from '../../../support/servers/loopback.js';
import { queryField } from '../../../support/service/callers.js';
import { untilReceived } from '../../../support/service/received-requests.js';
import { withSecondService } from '../../../support/service/second-service.js';
import { atScale } from '../../../support/soak.js';
import {
  aConnectedWorkspace,
  connect,
  getInstance,
  validateCredential,
} from '../../../support/sources/connected-workspace.js';
import { withWrongSecretValues } from '../../../support/vendors/fake-credential.js';
import { inconclusiveResponses } from '../../../support/vendors/inconclusive-responses.js';
import {
  replyErrorInOkBody,
  replyForbidden,
  replyNotFound,
  replyServerError,
  replyWith,
  type VendorBehaviour,
} from '../../../support/vendors/vendor-responses.js';

const { service, vendor } = await aConnectedWorkspace();
const editor = service.as('editor');
const bearer = vendor.credentials.bearer;
const ME = '/bearer/me';
const elsewhere = await listenOnLoopback((_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true,"email":"mallory@elsewhere.test"}');
});
afterAll(() => elsewhere.close());

// biome-ignore lint/suspicious/noExplicitAny: data of any shape
let instance: any;
beforeEach(async () => {
  vendor.recover();
  instance = (await connect(editor, 'bearer', bearer)).body.data;
});

const detail = (query: object) =>
  editor.request(`/api/vendors/tenant-connector-credential-detail?${new URLSearchParams({ ...query })}`);

const currentDetail = async () => {
  const { validatedAt: _, ...shown } = (await detail({ instanceId: instance.id })).body.data;
  return shown;
};

describe('the history of credentials', () => {
  const history = () =>
    queryField(
      service.as('viewer'),
      `query ($id: Base62Id!) { tenantConnectorInstance(id: $id) { credentials {
        id status validations { trigger status errorCode message details validatedAt } } } }`,
      { id: instance.id },
    ).then(({ credentials }) => credentials);

  it('contains each submission with its tests, newest first', async () => {
    vendor.behave(ME, replyForbidden(), { times: 1 });
    await validateCredential(editor, instance);
    const configured = { instanceId: instance.id, authenticationConfig: {} };
    const { body } = await editor.post('/api/connectors/configure', configured);
    await validateCredential(editor, body.data);
    vendor.behave(ME, replyServerError(503), { times: 1 });
    await validateCredential(editor, body.data);

    const test = { trigger: 'requested', message: expect.any(String), validatedAt: expect.any(String) };
    expect(await history()).toEqual([
      {
        ...{ id: body.data.credentialMetadataId, status: 'valid' },
        validations: [
          { ...test, status: 'inconclusive', errorCode: null, details: expect.objectContaining({ httpStatus: 503 }) },
          { ...test, status: 'valid', errorCode: null, details: expect.objectContaining({ httpStatus: 200 }) },
        ],
      },
      {
        ...{ id: instance.credentialMetadataId, status: 'superseded' },
        validations: [
          {
            ...{ ...test, status: 'invalid', errorCode: 'insufficient_permissions' },
            details: { httpStatus: 403, remediation: expect.any(String) },
          },
        ],
      },
    ]);
  });
});

describe('GET /api/vendors/tenant-connector-credential-detail', () => {
  it('requires authentication', async () => {
    expect((await service.request('/api/vendors/tenant-connector-credential-detail')).status).toBe(401);
  });

  it('returns the same for a credential record and for the connection whose current record it is', async () => {
    await validateCredential(editor, instance);
    const { id: instanceId, credentialMetadataId } = instance;
    const [one, other] = [await detail({ instanceId }), await detail({ credentialMetadataId })];
    expect(one.body.data).toEqual(other.body.data);
    expect(one.body.data).toEqual({
      ...{ instanceId, credentialMetadataId, status: 'valid', message: expect.any(String) },
      ...{ validatedAt: expect.any(String), grantedScopes: expect.any(Array), missingScopes: [] },
    });
  });

  it('requires exactly one of both parameters, as an id', async () => {
    const { id: instanceId, credentialMetadataId } = instance;
    const [none, both, misspelt] = [
      await detail({}),
      await detail({ instanceId, credentialMetadataId }),
      await detail({ instanceId: 'x' }),
    ];
    expect([none.status, none.body.error]).toEqual([400, expect.stringContaining('is required')]);
    expect([both.status, both.body.error]).toEqual([400, expect.stringContaining('not both')]);
    expect(misspelt.status).toBe(400);
  });

  it('returns the record of a deleted connection as revoked', async () => {
    const { id: instanceId, credentialMetadataId } = instance;
    vendor.behave(ME, replyForbidden(), { times: 1 });
    await validateCredential(editor, instance);
    await editor.delete(`/api/vendors/tenant-connector-instances/${instanceId}`);
    const { status, body } = await detail({ credentialMetadataId });
    const { validatedAt: _, ...shown } = body.data;
    expect([status, shown]).toEqual([
      200,
      { credentialMetadataId, instanceId, status: 'revoked', message: 'The connection and its secrets were deleted.' },
    ]);
  });

  it('returns 404 for an unknown record or connection, and for a deleted connection', async () => {
    const { id: instanceId } = instance;
    await editor.delete(`/api/vendors/tenant-connector-instances/${instanceId}`);
    const queries = [{ instanceId: newId() }, { credentialMetadataId: newId() }, { instanceId }];
    for (const query of queries) expect((await detail(query)).status).toBe(404);
  });
});

describe('a valid credential', () => {
  beforeEach(async () => {
    expect(await validateCredential(editor, instance)).toMatchObject({ status: 'valid' });
  });

  it.each(inconclusiveResponses(elsewhere.origin))(
    'stays valid if the vendor %s',
    async (_, behaviour, message, httpStatus) => {
      vendor.behave(ME, behaviour);
      const { status, success, details, ...test } = await validateCredential(editor, instance);
      expect([status, success, details.httpStatus]).toEqual(['inconclusive', false, httpStatus]);
      expect([test.message, details.remediation]).toEqual([expect.stringMatching(message), expect.any(String)]);
      expect(test).not.toHaveProperty('errorCode');
      expect(await getInstance(editor, instance)).toMatchObject({
        ...{
          connectionStatus: 'idle',
          hasValidCredentials: true,
          credentialStatus: 'valid',
          credentialErrorCode: null,
        },
      });
    },
  );

  it.each<[string, VendorBehaviour, string, connectionStatus: string]>([
    ['forbids', replyForbidden(), 'insufficient_permissions', 'credential_error'],
    ['returns an error with status 200', replyErrorInOkBody(), 'auth_failed', 'credential_error'],
    ['returns 404', replyNotFound(), 'config_invalid', 'config_invalid'],
  ])('is no longer valid if the vendor %s', async (_, behaviour, errorCode, connectionStatus) => {
    vendor.behave(ME, behaviour);
    expect(await validateCredential(editor, instance)).toMatchObject({ status: 'invalid', success: false, errorCode });
    expect(await getInstance(editor, instance)).toMatchObject({
      ...{ connectionStatus, hasValidCredentials: false, credentialStatus: 'invalid', credentialErrorCode: errorCode },
    });
  });
});

describe('an inconclusive test with an error code', () => {
  const testInconclusively = async () => {
    vendor.behave(ME, replyWith(409, {}));
    const outcome = { status: 'inconclusive', errorCode: 'internal_error' };
    expect(await validateCredential(editor, instance)).toMatchObject(outcome);
  };

  it('does not change the detail of a valid credential', async () => {
    await validateCredential(editor, instance);
    const before = await currentDetail();
    await testInconclusively();
    expect(await currentDetail()).toEqual(before);
    expect(await getInstance(editor, instance)).toMatchObject({
      ...{ connectionStatus: 'internal_error', credentialStatus: 'valid', credentialErrorCode: 'internal_error' },
    });
  });

  it('does not change the status of a connection whose credential was rejected', async () => {
    vendor.behave(ME, replyForbidden());
    await validateCredential(editor, instance);
    await testInconclusively();
    expect(await getInstance(editor, instance)).toMatchObject({
      ...{ connectionStatus: 'credential_error', credentialStatus: 'invalid', credentialErrorCode: 'internal_error' },
    });
  });

  it('sets no error code on a credential without a conclusive test', async () => {
    await testInconclusively();
    const { errorCode, status, message } = await currentDetail();
    expect([errorCode, status, message]).toEqual([undefined, 'pending', 'The source returned an internal error.']);
  });
});

describe('a rejected credential', () => {
  it('stays rejected, with its remediation, while the vendor is down', async () => {
    vendor.behave(ME, replyNotFound());
    await validateCredential(editor, instance);
    const before = await currentDetail();
    const { connectionStatus, connectionStatusMessage, ...refused } = await getInstance(editor, instance);
    expect([refused.credentialStatus, refused.credentialErrorCode]).toEqual(['invalid', 'config_invalid']);
    expect(connectionStatusMessage).toBe(`${before.message} ${before.remediation}`);
    vendor.behave(ME, replyServerError());
    expect(await validateCredential(editor, instance)).toMatchObject({ status: 'inconclusive' });
    expect(await getInstance(editor, instance)).toMatchObject({
      ...{ connectionStatus, connectionStatusMessage, credentialStatus: 'invalid', credentialErrorCode: null },
    });
    expect(await currentDetail()).toMatchObject(before);
  });
});

/** A trigger that ends the running credential test as soon as a second request has found it. */
const END_OTHER_TEST = `
create function end_other_test() returns trigger language plpgsql security definer as $$
begin
  if pg_trigger_depth() = 1 then update credential_metadata set tested_until = null; end if;
  return null;
end $$;
create trigger end_other_test after update on credential_metadata for each statement execute function end_other_test()`;

const CONCURRENT = atScale(6, 20);

describe('concurrent tests of one credential', () => {
  /** The vendor responds after the service has received all concurrent requests. */
  const onceAllArrived = (behaviour: VendorBehaviour): VendorBehaviour => {
    const all = untilReceived('/api/connectors/validate', CONCURRENT);
    return (call, response) => void all.then(() => behaviour(call, response));
  };
  const calls = () => vendor.callsTo(ME).length;

  it(`${CONCURRENT} concurrent requests share one call`, async () => {
    vendor.behave(ME, onceAllArrived(replyWith(200, { ok: true, email: 'ada@vendor.test', scopes: [] })));
    const before = calls();
    const found = await Promise.all(Array.from({ length: CONCURRENT }, () => validateCredential(editor, instance)));
    expect(calls() - before).toBe(1);
    for (const one of found) expect(one).toEqual(found[0]);
  });

  it(`${CONCURRENT} concurrent requests to two services on one database share one call`, async () => {
    vendor.behave(ME, onceAllArrived(replyWith(401, { ok: false })));
    const before = calls();
    const found = await withSecondService(service, async (secondService) => {
      await getInstance(secondService, instance); // The first response of a service is slow.
      return Promise.all(
        Array.from({ length: CONCURRENT }, (_, nth) => validateCredential(nth % 2 ? editor : secondService, instance)),
      );
    });
    expect(calls() - before).toBe(1);
    for (const one of found) expect(one).toEqual(found[0]);
    expect(found[0]).toMatchObject({ status: 'invalid', errorCode: 'auth_failed' });
  });

  it('starts a new test if the test in progress ends before the request can join it', async () => {
    await queryAsOwner(service, "update credential_metadata set tested_until = now() + interval '1 minute'");
    await queryAsOwner(service, END_OTHER_TEST);
    const found = await validateCredential(editor, instance).finally(() =>
      queryAsOwner(service, 'drop function end_other_test cascade'),
    );
    expect(found).toMatchObject({ status: 'valid' });
  });

  it('does not block tests of other credentials', async () => {
    const other = (await connect(editor, 'bearer', withWrongSecretValues(bearer))).body.data;
    const order: string[] = [];
    const { promise: mayReply, resolve } = Promise.withResolvers<void>();
    const before = calls();
    vendor.behave(ME, (...sent) => void mayReply.then(() => replyWith(200, { ok: true })(...sent)), { times: 1 });
    const first = validateCredential(editor, instance).then(() => order.push('slow'));
    await waitUntil(() => calls() > before);
    await validateCredential(editor, other).then(() => order.push('quick'));
    resolve();
    await first;
    expect(order).toEqual(['quick', 'slow']);
  });
});
