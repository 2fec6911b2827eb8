export const PERMISSIONS = {
  'connectors:read': 'Read connector definitions and the connections of the workspace.',
  'connectors:write': 'Create, configure and delete connections, and sign in with vendors (OAuth).',
  'credentials:validate': 'Test credentials.',
  'credentials:read': 'Read credential records and the results of their tests, but no secrets.',
  'artifacts:read': 'Read files.',
  'artifacts:write': 'Upload, rename and move files.',
  'artifacts:infer': 'Run schema inference.',
  'artifacts:publish': 'Publish a file as a table.',
  'artifacts:delete': 'Delete files.',
  'connector_requests:read': 'Read requests for connectors.',
  'connector_requests:write': 'Request a connector.',
  'connector_requests:move': 'Change the status of a request: review, accept, decline or complete it.',
  'ingest_tokens:read': 'Read ingest tokens, but not their plaintext.',
  'ingest_tokens:mint': 'Create ingest tokens.',
  'ingest_tokens:rotate': 'Rotate ingest tokens.',
  'ingest_tokens:revoke': 'Revoke ingest tokens.',
  'taps:write': 'Add, change and reset taps, list the objects of a source, and decide on held records.',
  'taps:delete': 'Delete taps.',
  'invitations:write': 'Invite people and read invitations.',
  'invitations:revoke': 'Revoke invitations.',
  'catalog:read': 'Read tables and their quality.',
  'contracts:write': 'Change the contracts of tables.',
  'syncs:read': 'Read syncs and their schedules.',
  'syncs:write':
    'Start and cancel syncs, change their schedules, decide on held rows, and read the first page of a tap (`tryTap`).',
  'sync_jobs:write': 'Report sync jobs.',
  'table_runs:write': 'Report the results of external jobs (`recordTableRun`).',
  'api_keys:write': 'Create, read and revoke API keys.',
  'roles:write': 'Create, change, delete and assign roles, and change users.',
  'workspace:write': 'Change settings of the workspace and the base URLs of connectors.',
  'audit:read': 'Read the audit trail.',
} as const;

export type Permission = keyof typeof PERMISSIONS;

/** One permission, all permissions of a resource (`taps:*`), or all permissions (`*`). */
export type Grant = Permission | `${string}:*` | '*';

const PERMISSION_NAMES = Object.keys(PERMISSIONS) as Permission[];
const RESOURCES = new Set(PERMISSION_NAMES.map(resourceOf));

const VIEWER: Grant[] = [
  'connectors:read',
  'credentials:read',
  'artifacts:read',
  'connector_requests:read',
  'ingest_tokens:read',
  'syncs:read',
  'catalog:read',
];

export const BUILT_IN_ROLES = {
  owner: { description: 'Has all permissions.', permissions: ['*'] },
  admin: {
    description: 'Has all permissions, but cannot assign the role `owner`.',
    permissions: [...RESOURCES].map((resource): Grant => `${resource}:*`),
  },
  editor: {
    description: 'Connects sources, uploads files and publishes tables.',
    permissions: [
      ...VIEWER,
      'connectors:write',
      'credentials:validate',
      'artifacts:*',
      'connector_requests:write',
      'ingest_tokens:*',
      'taps:*',
      'syncs:*',
      'contracts:write',
    ],
  },
  operator: {
    description: 'Keeps connections running.',
    permissions: [
      ...VIEWER,
      'credentials:validate',
      'connector_requests:write',
      'connector_requests:move',
      'ingest_tokens:rotate',
      'ingest_tokens:revoke',
      'taps:write',
      'syncs:*',
      'sync_jobs:write',
      'table_runs:write',
    ],
  },
  viewer: { description: 'Reads everything except invitations, API keys and the audit trail.', permissions: VIEWER },
} as const satisfies Record<string, { description: string; permissions: readonly Grant[] }>;

export type BuiltInRole = keyof typeof BUILT_IN_ROLES;

export function isGrant(text: string): text is Grant {
  if (text === '*' || Object.hasOwn(PERMISSIONS, text)) return true;
  return text.endsWith(':*') && RESOURCES.has(text.slice(0, -2));
}

export function hasPermission(grants: ReadonlySet<string>, permission: Permission): boolean {
  return grants.has(permission) || grants.has(`${resourceOf(permission)}:*`) || grants.has('*');
}

export function includesGrant(grants: ReadonlySet<string>, wanted: string): boolean {
  return grants.has('*') || grants.has(wanted) || (wanted !== '*' && grants.has(`${resourceOf(wanted)}:*`));
}

export function resolvePermissions(grants: ReadonlySet<string>): Permission[] {
  return PERMISSION_NAMES.filter((permission) => hasPermission(grants, permission)).sort();
}

export function intersectGrants(ones: readonly string[], others: ReadonlySet<string>): Set<string> {
  const set = new Set(ones);
  const common = PERMISSION_NAMES.filter(
    (permission) => hasPermission(set, permission) && hasPermission(others, permission),
  );
  return new Set([...ones.filter((grant) => includesGrant(others, grant)), ...common]);
}

function resourceOf(grant: string): string {
  return grant.slice(0, Math.max(0, grant.indexOf(':')));
}
