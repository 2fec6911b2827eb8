import type { Ref } from '@mikro-orm/core';
import { Index, Property, Unique } from '@mikro-orm/decorators/legacy';
import { TenantConnectorTap } from '../instances/tenant-connector-tap.js';
import { TenantOwned, TenantRelation, TenantTable } from '../kernel/entities/tenant-table.js';

/** An accepted delivery. Until `keptUntil`, deliveries with the same key are duplicates of it. */
@TenantTable()
@Unique({ properties: ['tenantId', 'tap', 'key'] })
@Index({ properties: ['tap', 'keptUntil'] })
export class IngestDelivery extends TenantOwned {
  @TenantRelation(() => TenantConnectorTap, 'tap_id')
  tap: Ref<TenantConnectorTap>;

  /** SHA-256 of the delivery identity, hexadecimal. */
  @Property({ type: 'text' })
  key: string;

  /** SHA-256 of the body as sent, hexadecimal; only for deliveries identified by an Idempotency-Key. */
  @Property({ type: 'text', nullable: true })
  bodyHash?: string;

  @Property({ type: 'datetime', length: 3 })
  keptUntil: Date;
}
