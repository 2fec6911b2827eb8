import type { Lean, Reader } from '../../kernel/reading/reader.js';
import { Role } from '../role.js';
import { UserRole } from '../user-role.js';
import { ownGrantsOf } from './grantable-roles.js';

export async function readUserRoles(read: Reader, userId: string): Promise<Lean<Role>[]> {
  const links = await read.many(UserRole, 'user', userId);
  const roles = await Promise.all(links.map(({ role }) => read.byId(Role, role)));
  return roles.filter((role) => role !== undefined);
}

/** Includes inherited grants. Terminates even if the inheritance has a cycle. */
export async function readUserGrants(read: Reader, userId: string): Promise<Set<string>> {
  const held = new Map<string, Lean<Role>>();
  for (
    let roles = await readUserRoles(read, userId);
    roles.length > 0;
    roles = await readParentRoles(read, roles, held)
  )
    for (const role of roles) held.set(role.id, role);
  return new Set([...held.values()].flatMap((role) => ownGrantsOf(role as Pick<Role, 'builtIn' | 'permissions'>)));
}

async function readParentRoles(
  read: Reader,
  roles: readonly Lean<Role>[],
  held: ReadonlyMap<string, unknown>,
): Promise<Lean<Role>[]> {
  const ids = new Set(roles.flatMap(({ parentRole }) => (parentRole && !held.has(parentRole) ? parentRole : [])));
  const parents = await Promise.all([...ids].map((id) => read.byId(Role, id)));
  return parents.filter((role) => role !== undefined);
}
