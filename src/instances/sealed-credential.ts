import type { Ref } from '@mikro-orm/core';
import { Property, Unique } from '@mikro-orm/decorators/legacy';
import { IdColumn } from '../kernel/ids.js';
import { TenantOwned, TenantRelation, TenantTable } from '../kernel/tenant-table.js';
import type { Sealed, SecretPlace } from '../secrets/secret-store.js';
import { CredentialMetadata } from './credential-metadata.js';

/** The secrets of a credential, sealed: what was submitted, and the session that was obtained with it. */
@TenantTable()
@Unique({ properties: ['tenantId', 'credential'] })
export class SealedCredential extends TenantOwned {
  @TenantRelation(() => CredentialMetadata, 'credential_id')
  credential: Ref<CredentialMetadata>;

  @Property({ type: 'json', columnType: 'json' })
  config: Sealed;

  @Property({ type: 'json', columnType: 'json', nullable: true })
  session?: Sealed;

  /** Grows with every session that is kept. Whoever writes one names the version that it replaces. */
  @Property({ type: 'integer' })
  version: number = 0;

  /** Who is obtaining the next session at the moment, and until when that is believed. */
  @Property({ type: IdColumn, nullable: true })
  leaseHolder?: string;

  @Property({ type: 'datetime', length: 3, nullable: true })
  leaseUntil?: Date;
}

export function configPlace(tenantId: string, credentialId: string): SecretPlace {
  return { tenantId, recordId: credentialId };
}

/** A place of its own: a session is written anew far more often than what was submitted. */
export function sessionPlace(tenantId: string, credentialId: string): SecretPlace {
  return { tenantId, recordId: `${credentialId}.session` };
}
