import type { Ref } from '@mikro-orm/core';
import { Index, Property } from '@mikro-orm/decorators/legacy';
import { CredentialMetadata } from '../instances/credential-metadata.js';
import { TenantConnectorTap } from '../instances/tenant-connector-tap.js';
import { TenantOwned, TenantRelation, TenantTable } from '../kernel/entities/tenant-table.js';

/** Records that were acknowledged and are not in their table yet. They leave in the transaction that puts them there. */
@TenantTable()
@Index({ properties: ['tap', 'receivedAt'] })
export class IngestBatch extends TenantOwned {
  @TenantRelation(() => TenantConnectorTap, 'tap_id')
  tap: Ref<TenantConnectorTap>;

  /** What the sender was verified with, where it was. */
  @TenantRelation(() => CredentialMetadata, 'credential_id', { nullable: true })
  credential?: Ref<CredentialMetadata>;

  @Property({ type: 'datetime', length: 3 })
  receivedAt: Date;

  @Property({ type: 'integer' })
  records: number;

  @Property({ type: 'integer' })
  bytes: number;

  /** One record a line, each the JSON text that was sent, so that no digit of a number is lost. */
  @Property({ type: 'text' })
  body: string;
}
