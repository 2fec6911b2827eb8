import { relationEquals } from '../../kernel/entities/tenant-table.js';
import { AppError } from '../../kernel/errors.js';
import { decodeId } from '../../kernel/ids.js';
import { assignRoles } from '../roles/assign-roles.js';
import { readGrantableRoles } from '../roles/grantable-roles.js';
import { User } from '../user.js';
import { UserRole } from '../user-role.js';
import type { WorkspaceTransaction } from '../workspace-transaction.js';
import { parseLocale, parseTimezone } from './locale-and-timezone.js';
import type { UserInput } from './user.inputs.js';

/**
 * Throws FORBIDDEN if the user, or one of the new roles, has permissions that the caller lacks. Also throws NOT_FOUND,
 * CONFLICT and BAD_REQUEST.
 */
export async function updateUser(tx: WorkspaceTransaction, id: string, input: UserInput): Promise<void> {
  await lockWorkspace(tx);
  const user = await tx.em.findOne(User, { id });
  if (!user) throw new AppError('NOT_FOUND', 'The user does not exist.');
  const { status, requireStrongAuth, roleIds, locale, timezone } = input;
  await readGrantableRoles(tx, await roleIdsOf(tx, id));
  if (status && (user.status === 'PENDING' || !user.subject))
    throw new AppError('CONFLICT', 'The status of a user cannot change before the first sign-in.');
  tx.update(user, {
    ...(status && { status }),
    ...(requireStrongAuth !== undefined && requireStrongAuth !== null && { requireStrongAuth }),
    ...(locale !== undefined && {
      locale: parseOptional(locale, parseLocale, 'locale must be a language tag (BCP 47), such as en-GB.'),
    }),
    ...(timezone !== undefined && {
      timezone: parseOptional(
        timezone,
        parseTimezone,
        'timezone must be a name of the IANA time zone database, such as Europe/Berlin.',
      ),
    }),
  });
  if (roleIds) await assignRoles(tx, user, await readGrantableRoles(tx, roleIds));
  await tx.em.flush();
  await requireOwner(tx);
  tx.recordAudit('user.changed', user, { ...input });
}

/** Null clears the value. Throws BAD_REQUEST with the message `rule`. */
function parseOptional(text: string | null, reader: (text: string) => string | undefined, rule: string): string {
  const value = text === null ? null : reader(text);
  if (value === undefined) throw new AppError('BAD_REQUEST', rule);
  return value as string;
}

/** Without the lock, two owners could demote each other concurrently, and no owner would remain. */
async function lockWorkspace({ em, caller }: WorkspaceTransaction): Promise<void> {
  await em.execute('select 1 from workspace where id = ? for update', [decodeId(caller.tenantId)]);
}

async function roleIdsOf({ em }: WorkspaceTransaction, userId: string): Promise<string[]> {
  return (await em.find(UserRole, relationEquals('user_id', userId))).map(({ role }) => role.id);
}

async function requireOwner({ em, caller }: WorkspaceTransaction): Promise<void> {
  const owners = await em.execute<unknown[]>(
    `select 1 from "user" join user_role using (tenant_id) join role using (tenant_id)
     where tenant_id = ? and user_role.user_id = "user".id and user_role.role_id = role.id
       and role.built_in = 'owner' and "user".status = 'ACTIVE' limit 1`,
    [decodeId(caller.tenantId)],
  );
  if (owners.length === 0)
    throw new AppError(
      'CONFLICT',
      'A workspace must have at least one active owner. Make another user an owner first.',
    );
}
