import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { queryAsOwner } from '../../../support/database/owner-queries.js';
import { aJwksServer } from '../../../support/identity/jwks-server.js';
import { auditEntriesOf, queryField, roleIdOf, UPDATE_USER, userIdOf } from '../../../support/service/callers.js';
import { createWorkspaceWithInvitations } from '../../../support/service/invited-workspace.js';
import { aClient, aService, type Client, type Reply } from '../../../support/service/service.js';

const issuer = await aJwksServer();
const service = aService(issuer.settings);
beforeAll(() => createWorkspaceWithInvitations(service, 'acme', { 'owner@acme.test': 'owner' }));
beforeAll(() => createWorkspaceWithInvitations(service, 'globex', { 'owner@globex.test': 'owner' }));
afterAll(() => issuer.close());

/** The claim `sub` defaults to the email address. */
function person(email: string, claims: object = {}, slug = 'acme'): Client {
  const authorization = `Bearer ${issuer.token({ sub: email, email, ...claims })}`;
  return aClient(service, async () => ({ authorization, 'x-tenant': slug }));
}

const owner = (slug = 'acme'): Client => person(`owner@${slug}.test`, {}, slug);
const me = (who: Client): Promise<Reply> => who.request('/api/users/me');
const outcomeOf = ({ status, text, headers }: Reply) => [status, headers.get('x-error-code'), text];

const SHUT_OUT = [
  403,
  'WORKSPACE_FORBIDDEN',
  JSON.stringify({ error: 'WORKSPACE_FORBIDDEN: The workspace does not exist, or you are not a member of it.' }),
];

async function invite(email: string, { role = 'viewer', slug = 'acme' } = {}): Promise<string> {
  const roleIds = [await roleIdOf(owner(slug), role)];
  const { status, body } = await owner(slug).post('/api/users/invitations', { email, roleIds });
  expect([status, body.data?.status]).toEqual([200, 'pending']);
  return body.data.id;
}

async function change(email: string, input: object): Promise<void> {
  await queryField(owner(), UPDATE_USER, { id: await userIdOf(owner(), email), input });
}

async function member(email: string, claims: object = {}): Promise<Client> {
  await invite(email);
  const who = person(email, claims);
  expect((await me(who)).status).toBe(200);
  return who;
}

async function acceptances(invitationId: string): Promise<{ details: object }[]> {
  const entries = await auditEntriesOf(owner(), invitationId);
  return entries.filter(({ action }) => action === 'invitation.accepted');
}

async function usersWith(email: string): Promise<{ status: string }[]> {
  const { items } = await queryField(owner(), '{ users(limit: 250) { items { id email status } } }');
  return items.filter((user: { email: string }) => user.email.toLowerCase() === email.toLowerCase());
}

describe('the first sign-in', () => {
  it('activates only invited people', async () => {
    const id = await invite('ada@example.test');
    expect(outcomeOf(await me(person('eve@example.test')))).toEqual(SHUT_OUT);
    const first = await me(person('ada@example.test', { name: 'Ada' }));
    expect([first.status, first.body.data]).toMatchObject([200, { name: 'Ada', status: 'ACTIVE' }]);
    expect((await me(person('ada@example.test'))).body.data).toEqual(first.body.data);
    expect(await acceptances(id)).toMatchObject([{ details: { userId: first.body.data.id } }]);
  });

  it.each<[object, object]>([
    [
      { locale: 'en-GB', zoneinfo: 'Europe/Berlin' },
      { locale: 'en-GB', timezone: 'Europe/Berlin' },
    ],
    [
      { locale: 'de_DE', zoneinfo: 'Etc/GMT+5' },
      { locale: 'de-DE', timezone: 'Etc/GMT+5' },
    ],
    [{ locale: 'no language', zoneinfo: 'x'.repeat(65) }, {}],
    [{ locale: 'x', zoneinfo: 'Middle/Earth' }, {}],
    [{ locale: 7, zoneinfo: { a: 1 } }, {}],
    [{ locale: '', zoneinfo: null }, {}],
  ])('sets language and time zone from the claims %j', async (claims, known) => {
    const who = await member(`${randomUUID()}@example.test`, claims);
    const { locale, timezone } = (await me(who)).body.data;
    expect({ locale, timezone }).toEqual({ locale: undefined, timezone: undefined, ...known });
  });

  it.each<[string, object]>([
    ['false', { email_verified: false }],
    ['the text "true"', { email_verified: 'true' }],
    ['1', { email_verified: 1 }],
    ['null', { email_verified: null }],
    ['a list', { email_verified: [true] }],
    ['missing', { email_verified: undefined }],
  ])('requires a verified address, not email_verified as %s', async (what, claims) => {
    const email = `unverified-${what.replace(/\W+/g, '-')}@example.test`;
    const id = await invite(email);
    expect(outcomeOf(await me(person(email, claims)))).toEqual(SHUT_OUT);
    expect([await usersWith(email), await acceptances(id)]).toMatchObject([[{ status: 'PENDING' }], []]);
    expect((await me(person(email))).status).toBe(200);
  });

  it('ignores the case of the address', async () => {
    await invite('Grace.Hopper@Example.TEST');
    const { status, body } = await me(person('gRACE.hopper@eXAMPLE.test'));
    expect([status, body.data.email]).toEqual([200, 'grace.hopper@example.test']);
  });

  it('rejects addresses similar to the invited one', async () => {
    await invite('mary_s@example.test');
    const alike = [
      ...['mary_s@example.test.evil.test', 'x-mary_s@example.test', 'mary_s+1@example.test', 'mary-s@example.test'],
      ...['%', '%@example.test', 'mary_s@example.test ', ' mary_s@example.test', 'mary_s@example.test\n', ''],
      ...['mary_s@example.test,eve@evil.test', '<mary_s@example.test>', 'mary_s@example%2etest'],
      ...['mary_s@example.test\0', 'MARY_ſ@example.test'],
    ];
    for (const email of alike)
      expect([email, ...outcomeOf(await me(person('eve', { email })))]).toEqual([email, ...SHUT_OUT]);
    for (const email of [['mary_s@example.test'], { email: 'mary_s@example.test' }, null, undefined])
      expect(outcomeOf(await me(person('eve', { email })))).toEqual(SHUT_OUT);
    expect((await me(person('mary_s@example.test'))).status).toBe(200);
    await invite('kelvin@example.test');
    // U+212A is the Kelvin sign, whose lower case is `k`.
    expect(outcomeOf(await me(person('eve', { email: '\u212aelvin@example.test' })))).toEqual(SHUT_OUT);
    expect((await me(person('Kelvin@example.test'))).status).toBe(200);
  });

  it('is rejected for an expired invitation', async () => {
    const id = await invite('late@example.test');
    const expire = `update invitation set expires_at = now() - interval '1 second' where email = 'late@example.test' returning id`;
    expect(await queryAsOwner(service, expire)).toHaveLength(1);
    expect(outcomeOf(await me(person('late@example.test')))).toEqual(SHUT_OUT);
    expect(await acceptances(id)).toEqual([]);
    await invite('late@example.test');
    expect((await me(person('late@example.test'))).status).toBe(200);
  });

  it('is rejected for a revoked invitation', async () => {
    const id = await invite('unwanted@example.test');
    expect((await owner().delete(`/api/users/invitations/${id}`)).status).toBe(200);
    expect(outcomeOf(await me(person('unwanted@example.test')))).toEqual(SHUT_OUT);
    expect(await acceptances(id)).toEqual([]);
    await invite('unwanted@example.test');
    expect((await me(person('unwanted@example.test'))).status).toBe(200);
  });

  it.each([
    ['viewer', 403],
    ['editor', 200],
    ['owner', 200],
  ])('assigns the role of the invitation: %s', async (role, status) => {
    await invite(`new-${role}@example.test`, { role });
    const who = person(`new-${role}@example.test`);
    expect((await me(who)).body.data.roles).toMatchObject([{ name: role }]);
    const created = await who.post('/api/connector-requests/connector-requests', { connectorName: 'Acme' });
    expect(created.status).toBe(status);
  });

  it.each([1, 2, 3, 4, 5])('happens once for concurrent first requests (%s)', async (number) => {
    const email = `eager-${number}@example.test`;
    const id = await invite(email);
    const who = person(email);
    const replies = await Promise.all(Array.from({ length: 20 }, (_, at) => sleep(at).then(() => me(who))));
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(replies.map(({ body }) => body.data.id)).size).toBe(1);
    expect([await usersWith(email), await acceptances(id)]).toMatchObject([[{ status: 'ACTIVE' }], [{}]]);
  });

  it('succeeds for one of several identities with the address', async () => {
    const id = await invite('shared@example.test');
    const rivals = Array.from({ length: 10 }, (_, number) => person('shared@example.test', { sub: `rival-${number}` }));
    const statuses = (await Promise.all(rivals.map(me))).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array(9).fill(403)]);
    expect(await acceptances(id)).toHaveLength(1);
  });
});

describe('a member', () => {
  it('is identified by issuer and subject, even if the address changes', async () => {
    await member('moved@example.test', { sub: 'moved' });
    const moved = await me(person('elsewhere@example.test', { sub: 'moved', email_verified: false }));
    expect([moved.status, moved.body.data.email]).toEqual([200, 'moved@example.test']);
    expect(outcomeOf(await me(person('moved@example.test', { sub: 'heir of the address' })))).toEqual(SHUT_OUT);
  });

  it.each(['SUSPENDED', 'DEACTIVATED'])('who is %s loses access immediately, like a non-member', async (status) => {
    const email = `${status.toLowerCase()}@example.test`;
    const who = await member(email);
    await change(email, { status });
    expect(outcomeOf(await me(who))).toEqual(SHUT_OUT);
    expect((await who.graphql('{ users { total } }')).body.errors).toMatchObject([
      { extensions: { code: 'WORKSPACE_FORBIDDEN' } },
    ]);
    expect(outcomeOf(await me(person('stranger@example.test')))).toEqual(SHUT_OUT);
    expect(outcomeOf(await me(person(email, {}, 'nowhere')))).toEqual(SHUT_OUT);
    await change(email, { status: 'ACTIVE' });
    expect((await me(who)).status).toBe(200);
  });

  it('who was deactivated regains access by a new invitation, with its role', async () => {
    const who = await member('back@example.test');
    const { id } = (await me(who)).body.data;
    await change('back@example.test', { status: 'DEACTIVATED' });
    expect(outcomeOf(await me(who))).toEqual(SHUT_OUT);
    await invite('back@example.test', { role: 'editor' });
    expect(outcomeOf(await me(person('back@example.test', { email_verified: false })))).toEqual(SHUT_OUT);
    expect((await me(who)).body.data).toMatchObject({ id, status: 'ACTIVE', roles: [{ name: 'editor' }] });
  });

  it('with a required second factor needs a token with mfa', async () => {
    await member('careful@example.test');
    await change('careful@example.test', { requireStrongAuth: true });
    for (const amr of [undefined, [], ['pwd'], ['otp', 'MFA'], 'mfa', [['mfa']], { mfa: true }]) {
      const { status, body } = await me(person('careful@example.test', { amr }));
      expect([status, body.error]).toEqual([403, 'FORBIDDEN: This user must sign in with a second factor.']);
    }
    expect((await me(person('careful@example.test', { amr: ['pwd', 'mfa'] }))).status).toBe(200);
  });

  it('of two workspaces has two users', async () => {
    const here = await member('both@example.test');
    const there = person('both@example.test', {}, 'globex');
    expect(outcomeOf(await me(there))).toEqual(SHUT_OUT);
    await invite('both@example.test', { role: 'editor', slug: 'globex' });
    const [first, second] = [(await me(here)).body.data, (await me(there)).body.data];
    expect(first).toMatchObject({ email: second.email, roles: [{ name: 'viewer' }] });
    expect(second.roles).toMatchObject([{ name: 'editor' }]);
    expect(first.id === second.id || first.tenantId === second.tenantId).toBe(false);
    await change('both@example.test', { status: 'SUSPENDED' });
    expect([outcomeOf(await me(here)), (await me(there)).status]).toEqual([SHUT_OUT, 200]);
  });
});
