import type { Ref } from '@mikro-orm/core';
import { Index, Property, Unique } from '@mikro-orm/decorators/legacy';
import { TenantConnectorTap } from '../instances/tenant-connector-tap.js';
import { DateTimeColumn, IntColumn, PlainObjectType } from '../kernel/entities/column-decorators.js';
import { Listed } from '../kernel/entities/listed.js';
import { TenantOwned, TenantRelation, TenantTable } from '../kernel/entities/tenant-table.js';

@PlainObjectType('An accepted delivery of pushed records. Its id is the `batchId` of the response to the sender.')
@TenantTable({ orderBy: { keptUntil: 'desc', id: 'asc' } })
@Unique({ properties: ['tenantId', 'tap', 'key'] })
@Index({ properties: ['tap', 'keptUntil'] })
@Listed({ filters: ['receivedAt', 'keptUntil'], orders: ['receivedAt', 'keptUntil'] })
export class IngestDelivery extends TenantOwned {
  @TenantRelation(() => TenantConnectorTap, 'tap_id')
  tap: Ref<TenantConnectorTap>;

  /** See `identifyDelivery`. */
  @Property({ type: 'text' })
  key: string;

  /** Hexadecimal SHA-256 of the body before decompression. Set only with an Idempotency-Key. */
  @Property({ type: 'text', nullable: true })
  bodyHash?: string;

  @DateTimeColumn('Time at which the service received the delivery.')
  receivedAt: Date;

  @IntColumn('Number of records.')
  records: number;

  @DateTimeColumn(
    'Time until which the service recognizes a repetition of this delivery as a duplicate. Afterwards, the service forgets the delivery.',
  )
  keptUntil: Date;
}
