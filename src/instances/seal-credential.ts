import type { ConnectorAuthStrategy } from '../catalog/connector-auth-strategy.js';
import { newId } from '../kernel/ids.js';
import type { Lean } from '../kernel/reading.js';
import type { Sealed, SecretPlace, SecretStore, Secrets } from '../secrets/secret-store.js';
import type { Session } from '../sources/session.js';
import { configPlace, sessionPlace } from './sealed-credential.js';
import { sealSession } from './sealed-session.js';

/** A credential record that is to be. */
export interface NewCredential {
  readonly id: string;
  readonly strategy: Lean<ConnectorAuthStrategy>;
  readonly config: Sealed;
  readonly session?: Sealed | undefined;
  /** All that was sealed for it. */
  readonly places: readonly (readonly [SecretPlace, Sealed])[];
}

/** Seals what a new record holds, before the transaction that writes it. */
export async function sealCredential(
  store: SecretStore,
  tenantId: string,
  strategy: Lean<ConnectorAuthStrategy>,
  { secrets, session }: { secrets: Secrets; session?: Session | undefined },
): Promise<NewCredential> {
  const id = newId();
  const own = configPlace(tenantId, id);
  const config = await store.seal(own, secrets);
  if (!session) return { id, strategy, config, places: [[own, config]] };
  const sealed = await sealSession(store, tenantId, id, session);
  return {
    id,
    strategy,
    config,
    session: sealed,
    places: [
      [own, config],
      [sessionPlace(tenantId, id), sealed],
    ],
  };
}
