import type { Ref } from '@mikro-orm/core';
import { Property, Unique } from '@mikro-orm/decorators/legacy';
import { Lease } from '../../kernel/concurrency/lease.js';
import { TenantOwned, TenantRelation, TenantTable } from '../../kernel/entities/tenant-table.js';
import { IdColumn } from '../../kernel/ids.js';
import type { SealedSecrets, SecretLocation } from '../../secrets/secret-store.js';
import { CredentialMetadata } from '../credential-metadata.js';

/** The submitted secrets, and the session that a token exchange has returned for them. */
@TenantTable()
@Unique({ properties: ['tenantId', 'credential'] })
export class SealedCredential extends TenantOwned {
  @TenantRelation(() => CredentialMetadata, 'credential_id')
  credential: Ref<CredentialMetadata>;

  @Property({ type: 'json', columnType: 'json' })
  config: SealedSecrets;

  @Property({ type: 'json', columnType: 'json', nullable: true })
  session?: SealedSecrets;

  /** Increases with every stored session, for compare-and-set. */
  @Property({ type: 'integer' })
  version: number = 0;

  /** Holder of `sessionLease`. */
  @Property({ type: IdColumn, nullable: true })
  leaseHolder?: string;

  @Property({ type: 'datetime', length: 3, nullable: true })
  leaseUntil?: Date;
}

/** The holder may obtain the next session. */
export const sessionLease = new Lease({
  ...{ table: 'sealed_credential', key: 'credential_id', holder: 'lease_holder', until: 'lease_until' },
  condition: 'version = $4',
});

export function configLocation(tenantId: string, credentialId: string): SecretLocation {
  return { tenantId, recordId: credentialId };
}

/** Sessions and submitted secrets have different locations, because the service rewrites sessions far more often. */
export function sessionLocation(tenantId: string, credentialId: string): SecretLocation {
  return { tenantId, recordId: `${credentialId}.session` };
}
