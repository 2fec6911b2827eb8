import type { Ref } from '@mikro-orm/core';
import { Index, Property, Unique } from '@mikro-orm/decorators/legacy';
import { TenantConnectorTap } from '../instances/tenant-connector-tap.js';
import { TenantOwned, TenantRelation, TenantTable } from '../kernel/entities/tenant-table.js';

/** A delivery that was taken, remembered for a while: what comes with the same key is the same delivery. */
@TenantTable()
@Unique({ properties: ['tenantId', 'tap', 'key'] })
@Index({ properties: ['tap', 'keptUntil'] })
export class IngestDelivery extends TenantOwned {
  @TenantRelation(() => TenantConnectorTap, 'tap_id')
  tap: Ref<TenantConnectorTap>;

  /** SHA-256 of what tells it from others, hexadecimal. */
  @Property({ type: 'text' })
  key: string;

  /** SHA-256 of its body as it was sent, hexadecimal, where it is told by a key that somebody chose for it. */
  @Property({ type: 'text', nullable: true })
  bodyHash?: string;

  @Property({ type: 'datetime', length: 3 })
  keptUntil: Date;
}
