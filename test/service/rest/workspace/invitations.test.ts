import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../../src/kernel/ids.js';
import { queryAsOwner } from '../../../support/database/owner-queries.js';
import {
  anApiKeyClient,
  aRole,
  clientFor,
  errorCodesOf,
  roleIdOf,
  UPDATE_USER,
  userIdOf,
} from '../../../support/service/callers.js';
import {
  expireInvitations,
  INVALID_EMAILS,
  INVITATIONS,
  invitationStatus,
  inviteUser,
  revokeInvitation,
  signInAs,
  VALID_EMAILS,
} from '../../../support/service/invitations.js';
import { AUDIT_FIELDS, ID } from '../../../support/service/replies.js';
import { aService, type Client, type Reply } from '../../../support/service/service.js';
import { createTestWorkspace } from '../../../support/service/test-workspace.js';

const service = aService();
const owner = service.as('owner');
const admin = service.as('admin');

let viewerRole: string;

beforeAll(async () => {
  viewerRole = await roleIdOf(owner, 'viewer');
});

const invite = (email: unknown, roleIds: unknown = [viewerRole], client = owner) => inviteUser(client, email, roleIds);
const revoke = (id: string, client: Client = owner) => revokeInvitation(client, id);
const statusOf = (id: string) => invitationStatus(owner, id);
const signIn = (email: string) => signInAs(service, email);

async function invited(email: string): Promise<string> {
  const { status, body } = await invite(email);
  expect(status).toBe(200);
  return body.data.id;
}

describe('POST /api/users/invitations', () => {
  it('requires authentication', async () => {
    expect((await service.post(INVITATIONS, { email: 'ada@x.test', roleIds: [viewerRole] })).status).toBe(401);
  });

  it('invites for 14 days, with the address in lower case and the roles', async () => {
    const editorRole = await roleIdOf(owner, 'editor');
    const { status, body } = await invite('Ada.Lovelace@X.Test', [viewerRole, editorRole, viewerRole]);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ id: ID, email: 'ada.lovelace@x.test', status: 'pending', ...AUDIT_FIELDS });
    expect(Object.keys(body.data)).not.toEqual(expect.arrayContaining(['acceptedAt', 'revokedAt']));
    expect(body.data.roles.map(({ id }: { id: string }) => id).sort()).toEqual([viewerRole, editorRole].sort());
    const days = (Date.parse(body.data.expiresAt) - Date.parse(body.data.createdAt)) / 86_400_000;
    expect(Math.round(days * 1_000)).toBe(14_000);
  });

  it('gives access to the person who signs in with the address, with those roles, once', async () => {
    const id = await invited('grace@x.test');
    expect(await signIn('nobody@x.test')).toBe(403);
    expect(await signIn('Grace@X.test')).toBe(200);
    const { data } = (await clientFor(service, 'grace@x.test').request('/api/users/me')).body;
    expect([data.email, data.status, data.roles.length, data.roles[0].id]).toEqual([
      ...['grace@x.test', 'ACTIVE', 1, viewerRole],
    ]);
    expect(await statusOf(id)).toBe('accepted');
  });

  it('rejects the address of a pending invitation, in any case, and of a member', async () => {
    await invited('twice@x.test');
    expect((await invite('twice@x.test')).status).toBe(409);
    expect((await invite('TWICE@X.TEST')).status).toBe(409);
    expect((await invite('owner@demo.test')).status).toBe(409);
  });

  it('invites again after revocation', async () => {
    await revoke(await invited('again@x.test'));
    expect(await signIn('again@x.test')).toBe(403);
    expect((await invite('again@x.test', [await roleIdOf(owner, 'editor')])).status).toBe(200);
    const { data } = (await clientFor(service, 'again@x.test').request('/api/users/me')).body;
    expect(data.roles.map(({ name }: { name: string }) => name)).toEqual(['editor']);
  });

  it('invites again after the expiry, and the expired invitation gives no access', async () => {
    const id = await invited('late@x.test');
    await expireInvitations(service, 'late@x.test');
    expect([await signIn('late@x.test'), await statusOf(id)]).toEqual([403, 'expired']);
    expect((await invite('late@x.test')).status).toBe(200);
    expect(await signIn('late@x.test')).toBe(200);
  });

  it('keeps the later invitation when an expired invitation is revoked', async () => {
    const id = await invited('second@x.test');
    await expireInvitations(service, 'second@x.test');
    const next = await invited('second@x.test');
    expect((await revoke(id)).body.data).toBe(true);
    expect(await statusOf(next)).toBe('pending');
    expect((await invite('second@x.test')).status).toBe(409);
    expect(await signIn('second@x.test')).toBe(200);
  });

  it('invites a deactivated user again, but not a suspended one', async () => {
    for (const [status, expected] of Object.entries({ SUSPENDED: 409, DEACTIVATED: 200 })) {
      const email = `${status.toLowerCase()}@x.test`;
      await invited(email);
      await signIn(email);
      const id = await userIdOf(owner, email);
      expect(await errorCodesOf(owner, UPDATE_USER, { id, input: { status } })).toEqual([]);
      expect([email, (await invite(email)).status]).toEqual([email, expected]);
    }
  });

  it('returns 404 for a missing role and for a role of another workspace', async () => {
    await createTestWorkspace(service, 'roles');
    const foreign = await roleIdOf(service.as('owner', { slug: 'roles' }), 'viewer');
    for (const id of [newId(), foreign]) {
      const reply = await invite('role@x.test', [viewerRole, id]);
      expect([reply.status, reply.body.error]).toEqual([404, 'NOT_FOUND: The role does not exist.']);
    }
    expect((await invite('role@x.test')).status).toBe(200);
  });

  it('rejects roles with permissions that the caller lacks, including inherited permissions, and with an API key', async () => {
    const ownerRole = await roleIdOf(owner, 'owner');
    const heir = await aRole(owner, { name: 'heir', permissions: [], parentRoleId: ownerRole });
    const program = await anApiKeyClient(service, ['invitations:write']);
    expect((await invite('more@x.test', [ownerRole], admin)).status).toBe(403);
    expect((await invite('more@x.test', [viewerRole, heir], admin)).status).toBe(403);
    expect((await invite('more@x.test', [viewerRole], program)).status).toBe(403);
    expect((await invite('more@x.test', [await roleIdOf(owner, 'admin')], admin)).status).toBe(200);
    expect((await invite('most@x.test', [ownerRole])).status).toBe(200);
  });

  it.each(INVALID_EMAILS)('rejects the address %j', async (email) => {
    const { status, body } = await invite(email);
    expect([status, body.error]).toEqual([400, expect.stringMatching(/^BAD_REQUEST: email /)]);
    expect(body.error).not.toContain('x.test');
  });

  it('describes a valid address in the error', async () => {
    expect((await invite('ada')).body.error).toBe(
      'BAD_REQUEST: email must be an email address such as ada@example.com.',
    );
  });

  it.each(VALID_EMAILS)('accepts the address %j', async (email) => {
    expect((await invite(email)).status).toBe(200);
  });

  const MANY = Array(101).fill(newId());

  it.each([[], null, 'viewer', ['viewer'], [[]], MANY, undefined])('rejects the roles %#', async (...roleIds) => {
    const { status, body } = await owner.post(INVITATIONS, { email: 'bad@x.test', roleIds: roleIds[0] });
    expect([status, body.error]).toEqual([400, expect.stringMatching(/^BAD_REQUEST: roleIds/)]);
  });
});

describe('50 concurrent invitations of one address', () => {
  const ways: [string, (email: string, nth: number) => Promise<Reply>][] = [
    ['without keys', (email) => invite(email)],
    [
      'each with its own key',
      (email, nth) =>
        owner.post(INVITATIONS, { email, roleIds: [viewerRole] }, { 'idempotency-key': `${email}${nth}` }),
    ],
  ];

  async function race(email: string, way: (email: string, nth: number) => Promise<Reply>): Promise<void> {
    const replies = await Promise.all(Array.from({ length: 50 }, (_, nth) => way(email, nth)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(49).fill(409)]);
    const open = 'select 1 from invitation where email = $1 and revoked_at is null';
    expect(await queryAsOwner(service, open, [email])).toHaveLength(1);
    expect(await queryAsOwner(service, 'select 1 from "user" where email = $1', [email])).toHaveLength(1);
  }

  it.each(ways)('create one, %s', async (name, way) => {
    await race(`new.${name.length}@x.test`, way);
  });

  it.each(ways)('create one after a revocation, %s', async (name, way) => {
    const email = `old.${name.length}@x.test`;
    await revoke(await invited(email));
    await race(email, way);
  });
});

describe('GET /api/users/invitations', () => {
  it('requires authentication', async () => {
    expect((await service.request(INVITATIONS)).status).toBe(401);
  });

  it('lists all invitations of the workspace, newest first, in pages', async () => {
    await createTestWorkspace(service, 'paging');
    const boss = service.as('owner', { slug: 'paging' });
    const roleId = await roleIdOf(boss, 'viewer');
    const emails = ['a@x.test', 'b@x.test', 'c@x.test', 'd@x.test', 'e@x.test'];
    for (const email of emails) expect((await invite(email, [roleId], boss)).status).toBe(200);
    const pages: string[][] = [];
    let address: string | null = `${INVITATIONS}?limit=2`;
    while (address) {
      const { data, meta, links }: Reply['body'] = (await boss.request(address.replace(service.url, ''))).body;
      expect([data.total, meta.totalCount, data.limit]).toEqual([5, 5, 2]);
      expect([links.first, links.last]).toEqual(
        ['0', '4'].map((offset) => `${service.url}${INVITATIONS}?limit=2&offset=${offset}`),
      );
      pages.push(data.items.map(({ email }: { email: string }) => email));
      address = links.next;
    }
    expect(pages).toEqual([['e@x.test', 'd@x.test'], ['c@x.test', 'b@x.test'], ['a@x.test']]);
  });
});

describe('DELETE /api/users/invitations/{inviteId}', () => {
  it('requires authentication', async () => {
    expect((await revoke(newId(), service)).status).toBe(401);
  });

  it('revokes an invitation, and succeeds again', async () => {
    const id = await invited('gone@x.test');
    for (let time = 0; time < 2; time++) {
      const { status, body } = await revoke(id);
      expect([status, body.data, body.meta.totalCount]).toEqual([200, true, null]);
    }
    expect([await statusOf(id), await signIn('gone@x.test')]).toEqual(['revoked', 403]);
  });

  it('rejects an accepted invitation and keeps its user', async () => {
    const id = await invited('stays@x.test');
    expect(await signIn('stays@x.test')).toBe(200);
    expect((await revoke(id)).status).toBe(409);
    expect([await statusOf(id), await signIn('stays@x.test')]).toEqual(['accepted', 200]);
  });

  it('returns the same error for a missing invitation and for an invitation of another workspace', async () => {
    await createTestWorkspace(service, 'other');
    const other = service.as('owner', { slug: 'other' });
    const { data } = (await invite('far@x.test', [await roleIdOf(other, 'viewer')], other)).body;
    const [never, foreign] = [await revoke(newId()), await revoke(data.id)];
    expect([never.status, foreign.status, foreign.body]).toEqual([404, 404, never.body]);
    expect((await revoke(data.id, other)).body.data).toBe(true);
  });

  it.each(['none', '0'.repeat(22), `${'0'.repeat(21)}-`])('rejects the id %s', async (id) => {
    expect((await revoke(id)).status).toBe(400);
  });
});
