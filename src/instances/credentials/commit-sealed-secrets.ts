import type { SealedSecrets, SecretLocation } from '../../secrets/secret-store.js';
import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';
import type { ConnectionContext } from './connection-context.js';

/**
 * If `work` fails, destroys the sealed secrets, because an external store already contains them. If the commit fails,
 * keeps them, because the database may have committed despite the error.
 */
export async function commitSealedSecrets<Result>(
  { write, connections }: ConnectionContext,
  sealed: readonly (readonly [SecretLocation, SealedSecrets])[],
  work: (tx: WorkspaceTransaction) => Promise<Result>,
): Promise<Result> {
  let hasWorkFailed = false;
  try {
    return await write((tx) =>
      work(tx).catch((error: unknown) => {
        hasWorkFailed = true;
        throw error;
      }),
    );
  } catch (error) {
    if (hasWorkFailed)
      for (const [location, secrets] of sealed)
        await connections.secrets.destroy(location, secrets).catch(() => undefined);
    throw error;
  }
}
