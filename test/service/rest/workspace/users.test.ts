import { describe, expect, it } from 'vitest';
import { queryAsOwner } from '../../../support/database/owner-queries.js';
import {
  anApiKeyClient,
  aRole,
  queryField,
  roleIdOf,
  setUserRoles,
  userIdOf,
} from '../../../support/service/callers.js';
import { AUDIT_FIELDS, ID, TIME } from '../../../support/service/replies.js';
import { aService } from '../../../support/service/service.js';

const service = aService();
const owner = service.as('owner');

describe('GET /api/users/me', () => {
  it('requires authentication', async () => {
    const { status, headers } = await service.request('/api/users/me', { headers: { 'x-tenant': 'demo' } });
    expect([status, headers.get('x-error-code')]).toEqual([401, 'UNAUTHENTICATED']);
  });

  it('returns the current user in this workspace', async () => {
    const { status, body } = await service.as('viewer').request('/api/users/me');
    expect([status, body.meta.totalCount]).toEqual([200, null]);
    expect(body.data).toEqual({
      ...{ id: ID, name: 'Demo viewer', email: 'viewer@demo.test', status: 'ACTIVE', requireStrongAuth: false },
      ...{ tenantId: ID, ...AUDIT_FIELDS },
      roles: [
        {
          ...{ id: await roleIdOf(owner, 'viewer'), name: 'viewer', createdAt: TIME, createdBy: ID },
          description: 'Reads everything except invitations, API keys and the audit trail.',
          permissions: expect.arrayContaining(['connectors:read', 'catalog:read']),
        },
      ],
      permissions: [
        ...['artifacts:read', 'catalog:read', 'connector_requests:read', 'connectors:read', 'credentials:read'],
        'ingest_tokens:read',
        'syncs:read',
      ],
    });
  });

  it('returns language, time zone and all roles', async () => {
    await queryAsOwner(
      service,
      `update "user" set locale = 'en-GB', timezone = 'Europe/Berlin' where email like 'editor@%'`,
    );
    const base = await aRole(owner, { name: 'base', permissions: ['audit:read'] });
    const extra = await aRole(owner, { name: 'extra', permissions: [], parentRoleId: base });
    const editor = await userIdOf(owner, 'editor@demo.test');
    await setUserRoles(owner, editor, [extra, await roleIdOf(owner, 'editor')]);
    const { data } = (await service.as('editor').request('/api/users/me')).body;
    expect(data).toMatchObject({ id: editor, locale: 'en-GB', timezone: 'Europe/Berlin' });
    const roles = data.roles.map((role: { name: string; parentRoleId?: string }) => [role.name, role.parentRoleId]);
    expect(roles.sort()).toEqual([
      ['editor', undefined],
      ['extra', base],
    ]);
  });

  it('lists own and inherited permissions, sorted, without duplicates and wildcards', async () => {
    const top = await aRole(owner, { name: 'top', permissions: ['taps:*', 'audit:read'] });
    const middle = await aRole(owner, { name: 'middle', permissions: ['taps:write'], parentRoleId: top });
    const bottom = await aRole(owner, { name: 'bottom', permissions: ['catalog:read'], parentRoleId: middle });
    const id = await userIdOf(owner, 'operator@demo.test');
    await setUserRoles(owner, id, [bottom, await roleIdOf(owner, 'viewer')]);
    const { data } = (await service.as('operator').request('/api/users/me')).body;
    expect(data.permissions).toEqual([
      ...['artifacts:read', 'audit:read', 'catalog:read', 'connector_requests:read', 'connectors:read'],
      ...['credentials:read', 'ingest_tokens:read', 'syncs:read', 'taps:delete', 'taps:write'],
    ]);
    const { items } = await queryField(owner, '{ users(limit: 250) { items { id permissions } } }');
    expect(items.find((user: { id: string }) => user.id === id).permissions).toEqual(data.permissions);
    await setUserRoles(owner, id, [await roleIdOf(owner, 'operator')]);
  });

  it('returns to an API key the user who created it, with the permissions of the key', async () => {
    const program = await anApiKeyClient(service, ['taps:*', 'connectors:read']);
    const { data } = (await program.request('/api/users/me')).body;
    expect([data.email, data.permissions]).toEqual([
      'owner@demo.test',
      ['connectors:read', 'taps:delete', 'taps:write'],
    ]);
    expect(await queryField(await anApiKeyClient(service, []), '{ me { permissions } }')).toEqual({ permissions: [] });
  });
});
