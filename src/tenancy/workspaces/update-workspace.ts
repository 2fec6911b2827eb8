import { AppError } from '../../kernel/errors.js';
import { Workspace } from '../workspace.js';
import type { WorkspaceTransaction } from '../workspace-transaction.js';
import type { WorkspaceInput } from './workspace.inputs.js';

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

export async function updateWorkspace(
  tx: WorkspaceTransaction,
  { name, oauthRedirectUris }: WorkspaceInput,
): Promise<void> {
  const changes = { ...(name && { name: name.trim() }), ...(oauthRedirectUris && { oauthRedirectUris }) };
  if (Object.keys(changes).length === 0) return;
  for (const address of oauthRedirectUris ?? [])
    if (!isRedirectUri(address))
      throw new AppError(
        'BAD_REQUEST',
        'oauthRedirectUris: each URI must use https (or http on localhost) and have no fragment, user name or password.',
      );
  const workspace = await tx.em.findOneOrFail(Workspace, { id: tx.caller.tenantId });
  tx.update(workspace, changes);
  tx.recordAudit('workspace.updated', workspace, changes);
}

/**
 * Accepts https URLs, and http URLs of a loopback host. Rejects URLs with a fragment or credentials. The service
 * compares redirect URIs exactly (RFC 9700, section 2.1).
 */
function isRedirectUri(address: string): boolean {
  const url = URL.parse(address);
  if (!url || url.hash || address.includes('#') || url.username || url.password) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK_HOSTS.includes(url.hostname));
}
