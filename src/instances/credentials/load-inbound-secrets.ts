import { InboundAuthStrategy } from '../../catalog/model/inbound-auth-strategy.js';
import type { Lean, Reader } from '../../kernel/reading/reader.js';
import type { SecretStore } from '../../secrets/secret-store.js';
import { CredentialMetadata } from '../credential-metadata.js';
import type { TenantConnectorInstance } from '../tenant-connector-instance.js';
import { openSubmittedSecrets } from './load-connection.js';

export interface InboundSecrets {
  readonly strategy: Lean<InboundAuthStrategy>;
  /** Includes the decrypted secrets. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly credentialId: string;
}

/**
 * Returns undefined if the connector has no inbound strategies, and `not configured` if the connection lacks an inbound
 * strategy or a credential. Throws `SecretsUnreadable` and `InactiveCredentialError`.
 */
export async function loadInboundSecrets(
  read: Reader,
  secrets: SecretStore,
  tenantId: string,
  { connector, credential: credentialId, inboundAuthStrategy, authenticationConfig }: Lean<TenantConnectorInstance>,
): Promise<InboundSecrets | 'not configured' | undefined> {
  if (!inboundAuthStrategy || !credentialId) {
    const strategies = await read.many(InboundAuthStrategy, 'connector', connector);
    return strategies.length > 0 ? 'not configured' : undefined;
  }
  const [strategy, credential, opened] = await Promise.all([
    read.byId(InboundAuthStrategy, inboundAuthStrategy),
    read.byId(CredentialMetadata, credentialId),
    openSubmittedSecrets(read, secrets, tenantId, credentialId),
  ]);
  if (!strategy || !credential) return 'not configured';
  return {
    strategy,
    config: { ...authenticationConfig, ...opened },
    credentialId,
  };
}
