import { ref } from '@mikro-orm/core';
import { relationEquals, relationValue } from '../../kernel/entities/tenant-table.js';
import { AppError } from '../../kernel/errors.js';
import { type Grant, isGrant } from '../permissions.js';
import { Role } from '../role.js';
import { UserRole } from '../user-role.js';
import type { WorkspaceTransaction } from '../workspace-transaction.js';
import { ownGrantsOf, readRolesById, requireGrantablePermissions, withAncestors } from './grantable-roles.js';
import type { RoleInput } from './role.inputs.js';

export async function createRole(tx: WorkspaceTransaction, input: RoleInput): Promise<Role> {
  const role = tx.create(Role, await roleValues(tx, input));
  tx.recordAudit('role.made', role, { name: role.name, permissions: role.permissions });
  return role;
}

export async function updateRole(tx: WorkspaceTransaction, id: string, input: RoleInput): Promise<Role> {
  const role = await lockCustomRole(tx, id);
  const { parentRole, ...values } = await roleValues(tx, input, role);
  tx.update(role, values);
  await tx.em.nativeUpdate(Role, { id }, { parentRole: relationValue(role.tenantId, parentRole?.id) });
  tx.recordAudit('role.changed', role, { name: role.name, permissions: role.permissions });
  return role;
}

export async function deleteRole(tx: WorkspaceTransaction, id: string): Promise<void> {
  const role = await lockCustomRole(tx, id);
  requireGrantablePermissions(tx, withAncestors(role, await readRolesById(tx)).flatMap(ownGrantsOf));
  const users = await tx.em.count(UserRole, relationEquals('role_id', id));
  const heirs = await tx.em.count(Role, relationEquals('parent_role_id', id));
  if (users + heirs > 0)
    throw new AppError(
      'CONFLICT',
      'The role is in use. First remove the role from its users and from the roles that inherit its permissions.',
    );
  tx.em.remove(role);
  tx.recordAudit('role.deleted', role, { name: role.name });
}

async function lockCustomRole({ em }: WorkspaceTransaction, id: string): Promise<Role> {
  const role = await em.findOne(Role, { id });
  if (!role) throw new AppError('NOT_FOUND', 'The role does not exist.');
  if (role.builtIn) throw new AppError('CONFLICT', 'A built-in role cannot be changed or deleted.');
  return role;
}

async function roleValues(tx: WorkspaceTransaction, input: RoleInput, existing?: Role): Promise<Partial<Role>> {
  const { name, description, parentRoleId } = input;
  const permissions = parseGrants(input.permissions);
  const roles = await readRolesById(tx);
  const parent = parentRoleId ? roles.get(parentRoleId) : undefined;
  if (parentRoleId && !parent)
    throw new AppError('NOT_FOUND', 'parentRoleId is not the id of a role of the workspace.');
  const line = parent ? withAncestors(parent, roles) : [];
  const former = existing ? withAncestors(existing, roles) : [];
  if (existing && line.includes(existing)) throw new AppError('BAD_REQUEST', 'A role cannot inherit from itself.');
  requireGrantablePermissions(tx, [...permissions, ...[...line, ...former].flatMap(ownGrantsOf)]);
  if ([...roles.values()].some((other) => other !== existing && other.name === name))
    throw new AppError('CONFLICT', 'A role with this name already exists.');
  return {
    name,
    permissions,
    description: description ?? (null as never),
    parentRole: parent ? ref(parent) : (null as never),
  };
}

/**
 * Throws BAD_REQUEST for an unknown permission. The message contains the position of the permission instead of its
 * name.
 */
export function parseGrants(texts: readonly string[]): Grant[] {
  const grants = texts.map((text, at) => {
    if (!isGrant(text))
      throw new AppError(
        'BAD_REQUEST',
        `permissions: item ${at + 1} is not a known permission. Examples of known permissions are taps:read and taps:*.`,
      );
    return text;
  });
  return [...new Set(grants)];
}
