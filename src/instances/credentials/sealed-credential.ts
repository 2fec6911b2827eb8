import type { Ref } from '@mikro-orm/core';
import { Property, Unique } from '@mikro-orm/decorators/legacy';
import { TenantOwned, TenantRelation, TenantTable } from '../../kernel/entities/tenant-table.js';
import { IdColumn } from '../../kernel/ids.js';
import type { SealedSecrets, SecretLocation } from '../../secrets/secret-store.js';
import { CredentialMetadata } from '../credential-metadata.js';

/** The secrets of a credential, sealed: what was submitted, and the session that was obtained with it. */
@TenantTable()
@Unique({ properties: ['tenantId', 'credential'] })
export class SealedCredential extends TenantOwned {
  @TenantRelation(() => CredentialMetadata, 'credential_id')
  credential: Ref<CredentialMetadata>;

  @Property({ type: 'json', columnType: 'json' })
  config: SealedSecrets;

  @Property({ type: 'json', columnType: 'json', nullable: true })
  session?: SealedSecrets;

  /** Grows with every session that is kept. Whoever writes one names the version that it replaces. */
  @Property({ type: 'integer' })
  version: number = 0;

  /** Who is obtaining the next session at the moment, and until when that is believed. */
  @Property({ type: IdColumn, nullable: true })
  leaseHolder?: string;

  @Property({ type: 'datetime', length: 3, nullable: true })
  leaseUntil?: Date;
}

export function configLocation(tenantId: string, credentialId: string): SecretLocation {
  return { tenantId, recordId: credentialId };
}

/** A place of its own: a session is written anew far more often than what was submitted. */
export function sessionLocation(tenantId: string, credentialId: string): SecretLocation {
  return { tenantId, recordId: `${credentialId}.session` };
}
