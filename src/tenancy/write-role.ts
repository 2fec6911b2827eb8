import { ref } from '@mikro-orm/core';
import { AppError } from '../kernel/errors.js';
import { pointsAt, relationTo } from '../kernel/tenant-table.js';
import { lineOf, ownGrants, requireGrantable, rolesById } from './grantable-roles.js';
import { type Grant, isGrant } from './permissions.js';
import type { RoleInput } from './role.inputs.js';
import { Role } from './role.js';
import { UserRole } from './user-role.js';
import type { WorkspaceTransaction } from './workspace-transaction.js';

export async function createRole(tx: WorkspaceTransaction, input: RoleInput): Promise<Role> {
  const role = tx.create(Role, await roleValues(tx, input));
  tx.record('role.made', role, { name: role.name, permissions: role.permissions });
  return role;
}

/** Sets all of the role to what the input says. */
export async function updateRole(tx: WorkspaceTransaction, id: string, input: RoleInput): Promise<Role> {
  const role = await ownRole(tx, id);
  const { parentRole, ...values } = await roleValues(tx, input, role);
  tx.change(role, values);
  await tx.em.nativeUpdate(Role, { id }, { parentRole: relationTo(role.tenantId, parentRole?.id) });
  tx.record('role.changed', role, { name: role.name, permissions: role.permissions });
  return role;
}

export async function deleteRole(tx: WorkspaceTransaction, id: string): Promise<void> {
  const role = await ownRole(tx, id);
  requireGrantable(tx, lineOf(role, await rolesById(tx)).flatMap(ownGrants));
  const users = await tx.em.count(UserRole, pointsAt('role_id', id));
  const heirs = await tx.em.count(Role, pointsAt('parent_role_id', id));
  if (users + heirs > 0) throw new AppError('CONFLICT', 'The role is in use: take it from its users and heirs first.');
  tx.em.remove(role);
  tx.record('role.deleted', role, { name: role.name });
}

async function ownRole({ em }: WorkspaceTransaction, id: string): Promise<Role> {
  const role = await em.findOne(Role, { id });
  if (!role) throw new AppError('NOT_FOUND', 'There is no role of that id.');
  if (role.builtIn) throw new AppError('CONFLICT', 'A built-in role stays as it is.');
  return role;
}

async function roleValues(tx: WorkspaceTransaction, input: RoleInput, existing?: Role): Promise<Partial<Role>> {
  const { name, description, parentRoleId } = input;
  const permissions = grantsOf(input.permissions);
  const roles = await rolesById(tx);
  const parent = parentRoleId ? roles.get(parentRoleId) : undefined;
  if (parentRoleId && !parent) throw new AppError('NOT_FOUND', 'parentRoleId is no role of the workspace.');
  const line = parent ? lineOf(parent, roles) : [];
  const former = existing ? lineOf(existing, roles) : [];
  if (existing && line.includes(existing)) throw new AppError('BAD_REQUEST', 'A role cannot inherit from itself.');
  requireGrantable(tx, [...permissions, ...[...line, ...former].flatMap(ownGrants)]);
  if ([...roles.values()].some((other) => other !== existing && other.name === name))
    throw new AppError('CONFLICT', 'There is a role of that name.');
  return {
    name,
    permissions,
    description: description ?? (null as never),
    parentRole: parent ? ref(parent) : (null as never),
  };
}

/** The texts as grants; BAD_REQUEST names none of what is unknown, only where it stands. */
export function grantsOf(texts: readonly string[]): Grant[] {
  return [...new Set(texts)].map((text, at) => {
    if (!isGrant(text)) throw new AppError('BAD_REQUEST', `permissions: number ${at + 1} is not a permission.`);
    return text;
  });
}
