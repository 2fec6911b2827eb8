import { AppError } from '../kernel/errors.js';
import type { ApiKeyInput } from './api-key.inputs.js';
import { ApiKey } from './api-key.js';
import { hashOf, newApiKey } from './api-key-text.js';
import { requireGrantable } from './grantable-roles.js';
import type { WorkspaceTransaction } from './workspace-transaction.js';
import { grantsOf } from './write-role.js';

/** Makes a key; its text is in the result and nowhere else. */
export async function createApiKey(tx: WorkspaceTransaction, input: ApiKeyInput): Promise<{ key: string; id: string }> {
  const { name, expiresAt } = input;
  const permissions = grantsOf(input.permissions);
  requireGrantable(tx, permissions);
  if (expiresAt && expiresAt.getTime() <= Date.now()) throw new AppError('BAD_REQUEST', 'expiresAt must lie ahead.');
  const key = newApiKey(tx.caller.tenantId);
  const row = tx.create(ApiKey, {
    name,
    permissions,
    hash: hashOf(key),
    ending: key.slice(-4),
    ...(expiresAt && { expiresAt }),
  });
  tx.record('api_key.made', row, { name, permissions });
  return { key, id: row.id };
}

export async function revokeApiKey(tx: WorkspaceTransaction, id: string): Promise<void> {
  const key = await tx.em.findOne(ApiKey, { id });
  if (!key) throw new AppError('NOT_FOUND', 'There is no API key of that id.');
  if (key.revokedAt) return;
  tx.change(key, { revokedAt: new Date() });
  tx.record('api_key.revoked', key, { name: key.name });
}
