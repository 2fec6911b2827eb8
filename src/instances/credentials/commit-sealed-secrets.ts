import type { SealedSecrets, SecretLocation } from '../../secrets/secret-store.js';
import type { WorkspaceTransaction } from '../../tenancy/workspace-transaction.js';
import type { ConnectionContext } from './connection-context.js';

/**
 * Writes what was sealed a moment ago. A store outside of the database keeps it also where the change is refused, so then it is destroyed.
 * Where nobody knows whether the change came about, because the database was lost at the commit, it stays.
 */
export async function commitSealedSecrets<Result>(
  { write, connections }: ConnectionContext,
  sealed: readonly (readonly [SecretLocation, SealedSecrets])[],
  work: (tx: WorkspaceTransaction) => Promise<Result>,
): Promise<Result> {
  let isRefused = false;
  try {
    return await write((tx) =>
      work(tx).catch((error: unknown) => {
        isRefused = true;
        throw error;
      }),
    );
  } catch (error) {
    if (isRefused)
      for (const [place, texts] of sealed) await connections.secrets.destroy(place, texts).catch(() => undefined);
    throw error;
  }
}
