import type { Ref } from '@mikro-orm/core';
import { Index, ManyToOne, Property, Unique } from '@mikro-orm/decorators/legacy';
import { ConnectorAuthStrategy } from '../../catalog/model/connector-auth-strategy.js';
import { TenantOwned, TenantRelation, TenantTable } from '../../kernel/entities/tenant-table.js';
import { IdColumn } from '../../kernel/ids.js';
import type { SealedSecrets, SecretLocation } from '../../secrets/secret-store.js';
import type { Caller } from '../../tenancy/caller.js';
import { CredentialMetadata } from '../credential-metadata.js';
import { TenantConnectorInstance } from '../tenant-connector-instance.js';

export const IS_OPEN_FLOW = 'used_at is null and expires_at > now()';

/** Only a request that matches these values can complete the sign-in. */
@TenantTable()
@Unique({ properties: ['tenantId', 'stateHash'] })
@Index({ properties: ['tenantId', 'expiresAt'] })
export class OAuthFlow extends TenantOwned {
  /** Hexadecimal SHA-256. */
  @Property({ type: 'text' })
  stateHash: string;

  /** Hexadecimal SHA-256 of the secret in the browser's cookie. */
  @Property({ type: 'text' })
  browserHash: string;

  /** A user or an API key. */
  @Property({ type: IdColumn })
  startedBy: string;

  @Property({ type: 'text' })
  startedByKind: Caller['kind'];

  /** The user who started the sign-in. If an API key started it, the creator of the key. */
  @Property({ type: IdColumn })
  startedByUser: string;

  @TenantRelation(() => TenantConnectorInstance, 'instance_id')
  instance: Ref<TenantConnectorInstance>;

  /** The credential record that was current at the start. */
  @TenantRelation(() => CredentialMetadata, 'credential_id')
  credential: Ref<CredentialMetadata>;

  @ManyToOne(() => ConnectorAuthStrategy, { ref: true })
  @Index()
  strategy: Ref<ConnectorAuthStrategy>;

  @Property({ type: 'text' })
  redirectUri: string;

  @Property({ type: 'json', columnType: 'json' })
  scopes: string[];

  /** The code verifier (RFC 7636), sealed. */
  @Property({ type: 'json', columnType: 'json' })
  verifier: SealedSecrets;

  @Property({ type: 'datetime', length: 3 })
  startedAt: Date = new Date();

  @Property({ type: 'datetime', length: 3 })
  expiresAt: Date;

  @Property({ type: 'datetime', length: 3, nullable: true })
  usedAt?: Date;
}

export function verifierLocation(tenantId: string, flowId: string): SecretLocation {
  return { tenantId, recordId: flowId };
}
