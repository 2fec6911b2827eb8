import type { Ref } from '@mikro-orm/core';
import { Index, ManyToOne, Property, Unique } from '@mikro-orm/decorators/legacy';
import { ConnectorAuthStrategy } from '../../catalog/model/connector-auth-strategy.js';
import { TenantOwned, TenantRelation, TenantTable } from '../../kernel/entities/tenant-table.js';
import { IdColumn } from '../../kernel/ids.js';
import type { SealedSecrets, SecretLocation } from '../../secrets/secret-store.js';
import type { Caller } from '../../tenancy/caller.js';
import { CredentialMetadata } from '../credential-metadata.js';
import { TenantConnectorInstance } from '../tenant-connector-instance.js';

/** SQL condition that is true while a user can complete the sign-in. */
export const IS_OPEN_FLOW = 'used_at is null and expires_at > now()';

/** A started sign-in with a vendor. Only a request that matches these values can complete it. */
@TenantTable()
@Unique({ properties: ['tenantId', 'stateHash'] })
@Index({ properties: ['tenantId', 'expiresAt'] })
export class OAuthFlow extends TenantOwned {
  /** SHA-256 of the state, hexadecimal. */
  @Property({ type: 'text' })
  stateHash: string;

  /** SHA-256 of the secret in the cookie of the browser that started the sign-in, hexadecimal. */
  @Property({ type: 'text' })
  browserHash: string;

  /** The user or API key that started the sign-in. */
  @Property({ type: IdColumn })
  startedBy: string;

  @Property({ type: 'text' })
  startedByKind: Caller['kind'];

  /** The user who started the sign-in, or the creator of the API key. */
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
