import type { Ref } from '@mikro-orm/core';
import { Index, Property } from '@mikro-orm/decorators/legacy';
import { CredentialMetadata } from '../instances/credential-metadata.js';
import { TenantConnectorTap } from '../instances/tenant-connector-tap.js';
import { DateTimeColumn, IntColumn, PlainObjectType } from '../kernel/entities/column-decorators.js';
import { Listed } from '../kernel/entities/listed.js';
import { TenantOwned, TenantRelation, TenantTable } from '../kernel/entities/tenant-table.js';

/** The transaction that commits the records to the table deletes the batch. */
@PlainObjectType('Accepted records that are not in their table yet.')
@TenantTable({ orderBy: { receivedAt: 'asc', id: 'asc' } })
@Index({ properties: ['tap', 'receivedAt'] })
@Listed({ filters: ['receivedAt'], orders: ['receivedAt'] })
export class IngestBatch extends TenantOwned {
  @TenantRelation(() => TenantConnectorTap, 'tap_id')
  tap: Ref<TenantConnectorTap>;

  /** Credential that verified the sender; unset if the token alone authorizes the sender. */
  @TenantRelation(() => CredentialMetadata, 'credential_id', { nullable: true })
  credential?: Ref<CredentialMetadata>;

  @DateTimeColumn('Time at which the service received the records.')
  receivedAt: Date;

  @IntColumn('Number of records.')
  records: number;

  @IntColumn('Size of the records, in bytes.')
  bytes: number;

  /** One record per line, as the JSON text that the sender sent, so that numbers keep all digits. */
  @Property({ type: 'text' })
  body: string;
}
