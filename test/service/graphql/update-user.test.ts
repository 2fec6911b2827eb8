import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import {
  aRole,
  clientFor,
  errorCodesOf,
  queryField,
  roleIdOf,
  UPDATE_USER,
  userIdOf,
} from '../../support/service/callers.js';
import { aService, type Client } from '../../support/service/service.js';
import { createTestWorkspace } from '../../support/service/test-workspace.js';

const service = aService();
const owner = service.as('owner');
const roleIds = {} as Record<string, string>;
const userIds = {} as Record<string, string>;

beforeAll(async () => {
  for (const name of ['owner', 'admin', 'operator', 'viewer']) {
    roleIds[name] = await roleIdOf(owner, name);
    userIds[name] = await userIdOf(owner, `${name}@demo.test`);
  }
  await createTestWorkspace(service, 'foreign');
});

function changeUser(client: Client, name: string, input: object): Promise<string[]> {
  return errorCodesOf(client, UPDATE_USER, { id: userIds[name], input });
}

describe('updateUser', () => {
  async function statusOf(role: 'viewer' | 'owner'): Promise<number> {
    return (await service.as(role).request('/api/users/me')).status;
  }

  it.each(['SUSPENDED', 'DEACTIVATED'])('%s revokes access immediately, and ACTIVE restores it', async (status) => {
    expect(await changeUser(owner, 'viewer', { status })).toEqual([]);
    expect(await statusOf('viewer')).toBe(403);
    expect(await changeUser(owner, 'viewer', { status: 'ACTIVE' })).toEqual([]);
    expect(await statusOf('viewer')).toBe(200);
  });

  it('requireStrongAuth rejects a token without a second factor', async () => {
    expect(await changeUser(owner, 'viewer', { requireStrongAuth: true })).toEqual([]);
    const { status, body } = await service.as('viewer').request('/api/users/me');
    expect([status, body.error]).toEqual([403, 'FORBIDDEN: This user must sign in with a second factor.']);
    expect(await changeUser(owner, 'viewer', { requireStrongAuth: false })).toEqual([]);
    expect(await statusOf('viewer')).toBe(200);
  });

  it('changes only the fields in the input', async () => {
    const rest = { requireStrongAuth: true, status: 'SUSPENDED', roles: [{ name: 'viewer' }, { name: 'operator' }] };
    const input = { ...rest, roles: undefined, roleIds: [roleIds.viewer, roleIds.operator, roleIds.viewer] };
    const id = userIds.viewer;
    const changed = await queryField(owner, UPDATE_USER, { id, input });
    expect({ ...changed, roles: changed.roles.length }).toEqual({ id, ...rest, roles: 2 });
    const { roles, ...kept } = await queryField(owner, UPDATE_USER, { id, input: {} });
    expect([kept, roles.length]).toEqual([{ id, requireStrongAuth: true, status: 'SUSPENDED' }, 2]);
    const back = { status: 'ACTIVE', requireStrongAuth: false, roleIds: [roleIds.viewer] };
    expect(await changeUser(owner, 'viewer', back)).toEqual([]);
  });

  describe('locale and time zone', () => {
    const QUERY =
      'mutation ($id: Base62Id!, $input: UserInput!) { updateUser(id: $id, input: $input) { locale timezone } }';
    const change = (input: object) => queryField(owner, QUERY, { id: userIds.viewer, input });

    it('can be changed separately, are stored in canonical form, and are removed by null', async () => {
      expect(await change({ locale: 'DE-at', timezone: 'europe/vienna' })).toEqual({
        ...{ locale: 'de-AT', timezone: 'Europe/Vienna' },
      });
      expect(await change({ locale: 'zh-Hant-TW' })).toEqual({ locale: 'zh-Hant-TW', timezone: 'Europe/Vienna' });
      expect(await change({ timezone: 'Asia/Kolkata', locale: null })).toEqual({
        locale: null,
        timezone: 'Asia/Kolkata',
      });
      expect(await change({ requireStrongAuth: false })).toEqual({ locale: null, timezone: 'Asia/Kolkata' });
      expect(await change({ timezone: null })).toEqual({ locale: null, timezone: null });
    });

    it.each([
      ['locale', 'a language tag (BCP 47), such as en-GB', ['', 'de_DE', 'english language', 'e', '1', 'en-']],
      [
        'timezone',
        'a name of the IANA time zone database, such as Europe/Berlin',
        ['', 'Berlin', 'Europe/Nowhere', '+01:00', 'UTC+1', ' UTC'],
      ],
    ])('%s is rejected unless it is %s', async (name, sort, wrong) => {
      for (const text of wrong) {
        const { body } = await owner.graphql(QUERY, { id: userIds.viewer, input: { [name]: text } });
        expect(body.errors).toMatchObject([
          { message: `${name} must be ${sort}.`, extensions: { code: 'BAD_REQUEST' } },
        ]);
      }
      expect(await changeUser(owner, 'viewer', { [name]: 'x'.repeat(65) })).toEqual(['BAD_REQUEST']);
    });

    it('cannot be changed by a user with fewer permissions', async () => {
      const input = { locale: 'en', timezone: 'UTC' };
      expect(await changeUser(service.as('viewer'), 'viewer', input)).toEqual(['FORBIDDEN']);
      expect(await changeUser(service.as('admin'), 'owner', input)).toEqual(['FORBIDDEN']);
      expect(await changeUser(owner, 'viewer', input)).toEqual([]);
    });
  });

  it('changes everything or nothing', async () => {
    const input = { status: 'SUSPENDED', roleIds: [roleIds.operator, newId()] };
    expect(await changeUser(owner, 'viewer', input)).toEqual(['NOT_FOUND']);
    expect(await queryField(service.as('viewer'), '{ me { status roles { name } } }')).toEqual({
      ...{ status: 'ACTIVE', roles: [{ name: 'viewer' }] },
    });
  });

  it('returns NOT_FOUND for an unknown user and for a user of another workspace', async () => {
    const foreign = await userIdOf(service.as('owner', { slug: 'foreign' }), 'viewer@foreign.test');
    for (const id of [newId(), foreign])
      expect(await errorCodesOf(owner, UPDATE_USER, { id, input: { status: 'SUSPENDED' } })).toEqual(['NOT_FOUND']);
    expect((await service.as('viewer', { slug: 'foreign' }).request('/api/users/me')).status).toBe(200);
  });

  it('does not activate a user before the first sign-in, and rejects other statuses', async () => {
    const invitation = { email: 'ada@x.test', roleIds: [roleIds.viewer] };
    const { status, body } = await owner.post('/api/users/invitations', invitation);
    expect(status).toBe(200);
    userIds.ada = await userIdOf(owner, 'ada@x.test');
    for (const status of ['ACTIVE', 'SUSPENDED', 'DEACTIVATED'])
      expect(await changeUser(owner, 'ada', { status })).toEqual(['CONFLICT']);
    expect(await changeUser(owner, 'viewer', { status: 'PENDING' })).toEqual(['BAD_REQUEST']);
    expect(await changeUser(owner, 'ada', { roleIds: [roleIds.operator] })).toEqual([]);
    await owner.delete(`/api/users/invitations/${body.data.id}`);
    expect(await changeUser(owner, 'ada', { status: 'ACTIVE' })).toEqual(['CONFLICT']);
    expect((await clientFor(service, 'ada@x.test').request('/api/users/me')).status).toBe(403);
  });

  it('keeps one active owner', async () => {
    const { viewer, owner: ownerRole } = roleIds;
    const all = await aRole(owner, { name: 'all', permissions: ['*'] });
    expect(await changeUser(owner, 'admin', { roleIds: [all] })).toEqual([]);
    for (const input of [{ status: 'SUSPENDED' }, { status: 'DEACTIVATED' }, { roleIds: [viewer] }, { roleIds: [all] }])
      expect(await changeUser(owner, 'owner', input)).toEqual(['CONFLICT']);
    expect(await changeUser(owner, 'admin', { roleIds: [ownerRole], status: 'SUSPENDED' })).toEqual([]);
    expect(await changeUser(owner, 'owner', { roleIds: [viewer] })).toEqual(['CONFLICT']);
    expect(await changeUser(owner, 'admin', { status: 'ACTIVE' })).toEqual([]);
    expect(await changeUser(owner, 'owner', { roleIds: [viewer] })).toEqual([]);
    expect(await changeUser(service.as('admin'), 'owner', { roleIds: [ownerRole] })).toEqual([]);
    expect(await changeUser(owner, 'admin', { roleIds: [roleIds.admin] })).toEqual([]);
  });

  // The test runs four times, because requests do not overlap while the pool opens its first connections.
  it.each([1, 2, 3, 4])('keeps one of two owners who demote each other 20 times concurrently (%d)', async () => {
    const { viewer, owner: ownerRole } = roleIds;
    expect(await changeUser(owner, 'admin', { roleIds: [ownerRole] })).toEqual([]);
    const codes = await Promise.all(
      Array.from({ length: 20 }, (_, nth) =>
        nth % 2
          ? changeUser(owner, 'admin', { roleIds: [viewer] })
          : changeUser(service.as('admin'), 'owner', { roleIds: [viewer] }),
      ),
    );
    expect(codes.filter((code) => code.length === 0).length).toBeGreaterThan(0);
    expect(['CONFLICT', 'FORBIDDEN']).toEqual(expect.arrayContaining([...new Set(codes.flat())]));
    const { items } = await queryField(service.as('viewer'), '{ users { items { email roles { name } } } }');
    const owners = items.filter(({ roles }: { roles: { name: string }[] }) =>
      roles.some(({ name }) => name === 'owner'),
    );
    expect(owners).toHaveLength(1);
    const [{ email }] = owners;
    if (email !== 'owner@demo.test')
      expect(await changeUser(service.as('admin'), 'owner', { roleIds: [ownerRole] })).toEqual([]);
  });
});
