import type { Ref } from '@mikro-orm/core';
import { Index, Property } from '@mikro-orm/decorators/legacy';
import { CredentialMetadata } from '../instances/credential-metadata.js';
import { TenantConnectorTap } from '../instances/tenant-connector-tap.js';
import { TenantOwned, TenantRelation, TenantTable } from '../kernel/entities/tenant-table.js';

/**
 * Acknowledged records that are not in their table yet. The transaction that commits them to the table deletes the
 * batch.
 */
@TenantTable()
@Index({ properties: ['tap', 'receivedAt'] })
export class IngestBatch extends TenantOwned {
  @TenantRelation(() => TenantConnectorTap, 'tap_id')
  tap: Ref<TenantConnectorTap>;

  /** Credential that verified the sender; unset if the token alone authorizes it. */
  @TenantRelation(() => CredentialMetadata, 'credential_id', { nullable: true })
  credential?: Ref<CredentialMetadata>;

  @Property({ type: 'datetime', length: 3 })
  receivedAt: Date;

  @Property({ type: 'integer' })
  records: number;

  @Property({ type: 'integer' })
  bytes: number;

  /** One record per line, each as the JSON text that was sent, so that numbers keep all digits. */
  @Property({ type: 'text' })
  body: string;
}
