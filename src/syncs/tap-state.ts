import type { Ref } from '@mikro-orm/core';
import { Property, Unique } from '@mikro-orm/decorators/legacy';
import { TenantConnectorTap } from '../instances/tenant-connector-tap.js';
import { TenantAudited, TenantRelation, TenantTable } from '../kernel/entities/tenant-table.js';
import type { SavedCursor } from './saved-cursor.js';

/** The point up to which a partition of an incremental tap was read: of one parent record, or of one fan-out item. */
@TenantTable()
@Unique({ properties: ['tenantId', 'tap', 'partition'] })
export class TapState extends TenantAudited {
  @TenantRelation(() => TenantConnectorTap, 'tap_id')
  tap: Ref<TenantConnectorTap>;

  /** SHA-256 of the request variables. */
  @Property({ type: 'text' })
  partition: string;

  @Property({ type: 'datetime', length: 3 })
  cursorTime: Date;

  /** See `SavedCursor`. */
  @Property({ type: 'json', columnType: 'json' })
  marks: SavedCursor['marks'];
}
