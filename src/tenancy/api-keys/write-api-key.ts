import { AppError } from '../../kernel/errors.js';
import { requireGrantablePermissions } from '../roles/grantable-roles.js';
import { parseGrants } from '../roles/write-role.js';
import type { WorkspaceTransaction } from '../workspace-transaction.js';
import type { ApiKeyInput } from './api-key.inputs.js';
import { ApiKey } from './api-key.js';
import { generateApiKey, hashApiKey } from './api-key-format.js';

/**
 * The result contains the only copy of the key, because the database stores only its hash. Throws BAD_REQUEST for an
 * unknown permission or a past `expiresAt`, and FORBIDDEN for a permission that the caller lacks.
 */
export async function createApiKey(tx: WorkspaceTransaction, input: ApiKeyInput): Promise<{ key: string; id: string }> {
  const { name, expiresAt } = input;
  const permissions = parseGrants(input.permissions);
  requireGrantablePermissions(tx, permissions);
  if (expiresAt && expiresAt.getTime() <= Date.now())
    throw new AppError('BAD_REQUEST', 'expiresAt must be in the future.');
  const key = generateApiKey(tx.caller.tenantId);
  const row = tx.create(ApiKey, {
    name,
    permissions,
    hash: hashApiKey(key),
    ending: key.slice(-4),
    ...(expiresAt && { expiresAt }),
  });
  tx.recordAudit('api_key.made', row, { name, permissions });
  return { key, id: row.id };
}

export async function revokeApiKey(tx: WorkspaceTransaction, id: string): Promise<void> {
  const key = await tx.em.findOne(ApiKey, { id });
  if (!key) throw new AppError('NOT_FOUND', 'The API key does not exist.');
  if (key.revokedAt) return;
  tx.update(key, { revokedAt: new Date() });
  tx.recordAudit('api_key.revoked', key, { name: key.name });
}
