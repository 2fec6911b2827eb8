import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type ConnectedWorkspace, getInstance, validateCredential } from '../sources/connected-workspace.js';
import { readVendorRecords } from '../sources/stored-credential.js';
import type { AuthMethodFixture } from './auth-method-fixture.js';
import type { FakeCredential } from './fake-credential.js';
import { VENDOR_SCOPES } from './fake-vendor-server.js';

const REMEDIATION_PATTERNS = {
  key: { auth_failed: /^Compare the entered key with the key at the vendor/, expired: /^Create a new key/ },
  password: { auth_failed: /^Enter the user name and password again/, expired: /^Set a new password/ },
  client: { auth_failed: /^Compare the entered id with the id at the vendor/, expired: /^Create a new secret or key/ },
  sign_in: { auth_failed: /sign in with the vendor again/, expired: /^Sign in with the vendor again/ },
} as const;

const GOOD = {
  connectionStatus: 'idle',
  hasValidCredentials: true,
  credentialStatus: 'valid',
  credentialErrorCode: null,
};

/**
 * Declares tests of the life of a credential: it is entered, tested and used, expires or is revoked, and is replaced.
 */
export function itFollowsCredentialLifecycle(connected: ConnectedWorkspace, method: AuthMethodFixture): void {
  const { service } = connected;
  const editor = service.as('editor');

  it('is valid, with the identity and scopes that the vendor returns', async () => {
    const instance = await method.connect();
    expect(await validateCredential(editor, instance)).toMatchObject({
      ...{ status: 'valid', success: true },
      details: { identity: method.identity, grantedScopes: expect.arrayContaining(VENDOR_SCOPES) },
    });
    expect(await getInstance(editor, instance)).toMatchObject(GOOD);
  });

  it('reads all records from another process', async () => {
    expect(await readVendorRecords(service, await method.connect())).toHaveLength(25);
  });

  it('is invalid after a revocation, returns the remediation, and is valid again after a renewal', async () => {
    const instance = await method.connect();
    await validateCredential(editor, instance);
    method.withdraw();
    await expect(readVendorRecords(service, instance)).rejects.toThrow();
    const errorCode = method.withdrawn === 'expired' ? 'expired' : 'auth_failed';
    await expectRefused(connected, method, instance, { status: method.withdrawn, errorCode });

    const renewed = await method.renew(instance);
    expect(await validateCredential(editor, renewed)).toMatchObject({ status: 'valid' });
    expect(await getInstance(editor, renewed)).toMatchObject(GOOD);
    expect(await readVendorRecords(service, renewed)).toHaveLength(25);
  });

  if (method.session) followSession(connected, method, method.session);
}

export function itRejectsWrongCredential(
  connected: ConnectedWorkspace,
  method: AuthMethodFixture,
  wrong: () => FakeCredential,
): void {
  it('is invalid if it is wrong, and returns the remediation', async () => {
    const instance = await method.connect(wrong());
    await expect(readVendorRecords(connected.service, instance)).rejects.toThrow();
    await expectRefused(connected, method, instance, { status: 'invalid', errorCode: 'auth_failed' });
  });
}

function followSession(
  { service, vendor }: ConnectedWorkspace,
  method: AuthMethodFixture,
  { count, end, setSeconds }: NonNullable<AuthMethodFixture['session']>,
): void {
  const editor = service.as('editor');

  it('requests one token for all concurrent and later uses', async () => {
    const before = count();
    const instance = await method.connect();
    await Promise.all([1, 2, 3].map(() => readVendorRecords(service, instance)));
    await validateCredential(editor, instance);
    expect(count() - before).toBe(1);
  });

  it('is renewed by the next use after its token expires, without an error', async () => {
    const instance = await method.connect();
    await validateCredential(editor, instance);
    const before = count();
    end();
    expect(await readVendorRecords(service, instance)).toHaveLength(25);
    expect(count() - before).toBe(1);
    expect(await validateCredential(editor, instance)).toMatchObject({ status: 'valid' });
    expect(await getInstance(editor, instance)).toMatchObject(GOOD);
    expect(count() - before).toBe(1);
  });

  if (setSeconds)
    it('is renewed before expiry, so that no use fails', async () => {
      setSeconds(4);
      const instance = await method.connect();
      await validateCredential(editor, instance);
      setSeconds(3_600);
      await sleep(2_200);
      const calls = () => [count(), vendor.callsTo(`/${method.key}/records`).length];
      const [tokens = 0, uses = 0] = calls();
      expect(await readVendorRecords(service, instance)).toHaveLength(25);
      expect(calls()).toEqual([tokens + 1, uses + 3]);
    });
}

async function expectRefused(
  { service }: ConnectedWorkspace,
  { kind }: AuthMethodFixture,
  instance: { id: string; credentialMetadataId: string },
  outcome: { status: string; errorCode: 'auth_failed' | 'expired' },
): Promise<void> {
  const editor = service.as('editor');
  const { status, errorCode } = outcome;
  const remediation = expect.stringMatching(REMEDIATION_PATTERNS[kind][errorCode]);
  expect(await validateCredential(editor, instance)).toMatchObject({
    ...outcome,
    success: false,
    details: { remediation },
  });
  expect(await getInstance(editor, instance)).toMatchObject({
    ...{ connectionStatus: 'credential_error', hasValidCredentials: false },
    ...{ credentialStatus: status, credentialErrorCode: errorCode },
  });
  const detail = await editor.request(`/api/vendors/tenant-connector-credential-detail?instanceId=${instance.id}`);
  expect(detail.body.data).toMatchObject({ ...outcome, remediation });
}
