/** Everything that a role or an API key may be allowed, and what that means. */
export const PERMISSIONS = {
  'connectors:read': 'See connector definitions and the connections of the workspace.',
  'connectors:write': 'Connect, configure and disconnect, also through OAuth.',
  'credentials:validate': 'Have credentials tested.',
  'credentials:read': 'See why credentials failed; never the credentials.',
  'artifacts:read': 'See files.',
  'artifacts:write': 'Upload, rename and move files.',
  'artifacts:infer': 'Run schema inference.',
  'artifacts:publish': 'Publish a file as a table.',
  'artifacts:delete': 'Delete files.',
  'connector_requests:read': 'See requests for connectors.',
  'connector_requests:write': 'Ask for a connector.',
  'connector_requests:move': 'Move a request on: review, accept, decline, complete it.',
  'ingest_tokens:read': 'See ingest tokens; never their plaintext.',
  'ingest_tokens:mint': 'Mint ingest tokens.',
  'ingest_tokens:rotate': 'Rotate ingest tokens.',
  'ingest_tokens:revoke': 'Revoke ingest tokens.',
  'taps:write': 'Enable and disable taps.',
  'taps:delete': 'Delete taps.',
  'invitations:write': 'Invite people and see invitations.',
  'invitations:revoke': 'Revoke invitations.',
  'catalog:read': 'See tables and their quality.',
  'contracts:write': 'Change what is expected of tables.',
  'sync_jobs:write': 'Report sync jobs.',
  'table_runs:write': 'Report what jobs have made of tables.',
  'api_keys:write': 'Make, see and revoke API keys.',
  'roles:write': 'Make and change roles, and say who has them.',
  'workspace:write': 'Change settings of the workspace.',
  'audit:read': 'Read the audit trail.',
} as const;

export type Permission = keyof typeof PERMISSIONS;

/** What may be granted: a permission, all of a resource (`taps:*`), or everything (`*`). */
export type Grant = Permission | `${string}:*` | '*';

const PERMISSION_NAMES = Object.keys(PERMISSIONS) as Permission[];
const RESOURCES = new Set(PERMISSION_NAMES.map(resourceOf));

const VIEWER: Grant[] = [
  'connectors:read',
  'credentials:read',
  'artifacts:read',
  'connector_requests:read',
  'ingest_tokens:read',
  'catalog:read',
];

/** The roles that every workspace has. */
export const BUILT_IN_ROLES = {
  owner: { description: 'May do everything.', permissions: ['*'] },
  admin: {
    description: 'Runs the workspace: everything but what only owners may hand out.',
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
      'sync_jobs:write',
      'table_runs:write',
    ],
  },
  viewer: { description: 'Sees everything but invitations, API keys and the audit trail.', permissions: VIEWER },
} as const satisfies Record<string, { description: string; permissions: readonly Grant[] }>;

export type BuiltInRole = keyof typeof BUILT_IN_ROLES;

export function isGrant(text: string): text is Grant {
  if (text === '*' || Object.hasOwn(PERMISSIONS, text)) return true;
  return text.endsWith(':*') && RESOURCES.has(text.slice(0, -2));
}

export function hasPermission(grants: ReadonlySet<string>, permission: Permission): boolean {
  return grants.has(permission) || grants.has(`${resourceOf(permission)}:*`) || grants.has('*');
}

/** Whether whoever holds `grants` may hand `wanted` on: nobody gives what they do not have. */
export function includesGrant(grants: ReadonlySet<string>, wanted: string): boolean {
  return grants.has('*') || grants.has(wanted) || (wanted !== '*' && grants.has(`${resourceOf(wanted)}:*`));
}

/** Every permission that `grants` allow, by name: wildcards are resolved. */
export function resolvePermissions(grants: ReadonlySet<string>): Permission[] {
  return PERMISSION_NAMES.filter((permission) => hasPermission(grants, permission)).sort();
}

/** What two sets of grants allow together. */
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
