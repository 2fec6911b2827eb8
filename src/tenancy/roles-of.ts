import type { Lean, Reader } from '../kernel/reading.js';
import { Role } from './role.js';
import { UserRole } from './user-role.js';

export async function rolesOf(read: Reader, userId: string): Promise<Lean<Role>[]> {
  const links = await read.many(UserRole, 'user', userId);
  const roles = await Promise.all(links.map(({ role }) => read.byId(Role, role)));
  return roles.filter((role) => role !== undefined);
}
