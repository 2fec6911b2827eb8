import { newId } from '../../kernel/ids.js';
import type { SealedSecrets, SecretLocation, SecretStore, Secrets } from '../../secrets/secret-store.js';
import type { Session } from '../../sources/session.js';
import type { ChosenStrategy } from '../config/connection-definition.js';
import { configLocation, sessionLocation } from './sealed-credential.js';
import { sealSession } from './sealed-session.js';

export interface NewCredential {
  readonly id: string;
  readonly chosen: ChosenStrategy;
  readonly config: SealedSecrets;
  readonly session?: SealedSecrets | undefined;
  /** Overrides the result of `pendingMessageOf`. */
  readonly pendingMessage?: string;
  /** For `commitSealedSecrets`. */
  readonly sealedSecrets: readonly (readonly [SecretLocation, SealedSecrets])[];
}

/** Callers must call this function before the transaction, because this function may call an external store. */
export async function sealCredential(
  store: SecretStore,
  tenantId: string,
  chosen: ChosenStrategy,
  { secrets, session }: { secrets: Secrets; session?: Session | undefined },
): Promise<NewCredential> {
  const id = newId();
  const own = configLocation(tenantId, id);
  const config = await store.seal(own, secrets);
  if (!session) return { id, chosen, config, sealedSecrets: [[own, config]] };
  const sealed = await sealSession(store, tenantId, id, session);
  return {
    id,
    chosen,
    config,
    session: sealed,
    sealedSecrets: [
      [own, config],
      [sessionLocation(tenantId, id), sealed],
    ],
  };
}
