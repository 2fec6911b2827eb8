import type { Route } from './route.js';

const audit = {
  createdAt: '2026-01-31T12:00:00.000Z',
  createdBy: '000000001VgEh72lXvTXkG',
  updatedAt: '2026-01-31T12:00:00.000Z',
  updatedBy: '000000001VgEh72lXvTXkG',
};

const role = {
  id: '6rM3yD9kXA8IMUOEJx31a7',
  name: 'viewer',
  permissions: ['connectors:read', 'catalog:read'],
  createdAt: audit.createdAt,
  createdBy: audit.createdBy,
};

const invitation = {
  id: '4hJ7tG2qVuROwfH1G5q8w7',
  email: 'ada@example.com',
  status: 'pending',
  roles: [role],
  expiresAt: '2026-02-14T12:00:00.000Z',
  ...audit,
};

export const userRoutes: readonly Route[] = [
  {
    operation: 'me',
    method: 'get',
    path: '/api/users/me',
    tag: 'Users',
    summary: 'Get the current user',
    description:
      'The current user in this workspace, with roles and effective `permissions`: the permissions of all roles, including inherited permissions. Instead of a wildcard, the list contains each permission that the wildcard covers. For an API key, returns the user who created the key, with the permissions of the key.',
    example: {
      id: '2vMb1qUYpXl5LQ4Q8mB808',
      name: 'Ada',
      email: 'ada@example.com',
      status: 'ACTIVE',
      tenantId: '5hQ0mWk8Pd5JluBmKkcLFh',
      requireStrongAuth: false,
      roles: [role],
      permissions: ['catalog:read', 'connectors:read'],
      ...audit,
    },
  },
  {
    operation: 'roles',
    method: 'get',
    path: '/api/users/roles',
    extension: true,
    listed: true,
    tag: 'Users',
    summary: 'List roles',
    description:
      'Roles of the workspace, oldest first. `permissions` of a role does not contain inherited permissions. Without `limit`, the request returns all roles, or fails with 400 if there are more than 1,000. With `limit`, `links` contains the URLs of the other pages.',
    example: [role],
  },
  {
    operation: 'inviteUser',
    method: 'post',
    path: '/api/users/invitations',
    extension: true,
    tag: 'Users',
    summary: 'Invite a user',
    description:
      'Creates an invitation that is valid for 14 days. The invited person accepts the invitation by signing in with the invited email address, which the identity provider must have verified. The service sends no email. The caller cannot grant a role with permissions that the caller lacks.',
    errorCodes: ['NOT_FOUND', 'CONFLICT'],
    example: invitation,
  },
  {
    operation: 'invitations',
    method: 'get',
    path: '/api/users/invitations',
    extension: true,
    paged: true,
    tag: 'Users',
    summary: 'List invitations',
    description: 'All invitations of the workspace in any status, newest first.',
    example: { items: [invitation], limit: 50, offset: 0, total: 1 },
  },
  {
    operation: 'revokeInvite',
    method: 'delete',
    path: '/api/users/invitations/{inviteId}',
    tag: 'Users',
    summary: 'Revoke an invitation',
    description:
      'Revokes an invitation. Revoking a revoked invitation has no effect. The request fails with 409 if the invitation was accepted.',
    errorCodes: ['NOT_FOUND', 'CONFLICT'],
    example: true,
  },
];
