import { AppError } from '../../kernel/errors.js';
import { BUILT_IN_ROLES, type Grant, includesGrant } from '../permissions.js';
import { Role } from '../role.js';
import type { WorkspaceTransaction } from '../workspace-transaction.js';

/** Excludes inherited grants. */
export function ownGrantsOf({ builtIn, permissions }: Pick<Role, 'builtIn' | 'permissions'>): readonly Grant[] {
  return builtIn ? BUILT_IN_ROLES[builtIn].permissions : permissions;
}

/**
 * Throws NOT_FOUND for a role that does not exist, and FORBIDDEN if one of the roles has permissions that the caller
 * lacks.
 */
export async function readGrantableRoles(tx: WorkspaceTransaction, roleIds: readonly string[]): Promise<Role[]> {
  const roles = await readRolesById(tx);
  return [...new Set(roleIds)].map((id) => {
    const role = roles.get(id);
    if (!role) throw new AppError('NOT_FOUND', 'The role does not exist.');
    requireGrantablePermissions(tx, withAncestors(role, roles).flatMap(ownGrantsOf));
    return role;
  });
}

export function requireGrantablePermissions({ caller }: WorkspaceTransaction, grants: readonly string[]): void {
  const missing = grants.find((grant) => !includesGrant(caller.grants, grant));
  if (missing)
    throw new AppError(
      'FORBIDDEN',
      `You cannot grant the permission ${missing}, because you do not have this permission.`,
    );
}

export async function readRolesById({ em }: WorkspaceTransaction): Promise<Map<string, Role>> {
  return new Map((await em.find(Role, {})).map((role) => [role.id, role]));
}

/** Terminates even if the inheritance has a cycle. */
export function withAncestors(role: Role, roles: ReadonlyMap<string, Role>): Role[] {
  const line = new Set<Role>();
  for (let next: Role | undefined = role; next && !line.has(next); next = roles.get(next.parentRole?.id ?? ''))
    line.add(next);
  return [...line];
}
