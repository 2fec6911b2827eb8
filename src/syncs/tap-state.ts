import type { Ref } from '@mikro-orm/core';
import { Property, Unique } from '@mikro-orm/decorators/legacy';
import { TenantConnectorTap } from '../instances/tenant-connector-tap.js';
import { TenantAudited, TenantRelation, TenantTable } from '../kernel/entities/tenant-table.js';
import type { SavedCursor } from './saved-cursor.js';

/** The point up to which the service has read a partition of an incremental tap. */
@TenantTable()
@Unique({ properties: ['tenantId', 'tap', 'partition'] })
export class TapState extends TenantAudited {
  @TenantRelation(() => TenantConnectorTap, 'tap_id')
  tap: Ref<TenantConnectorTap>;

  /** SHA-256 of the request variables. */
  @Property({ type: 'text' })
  partition: string;

  /** Time of the saved cursor. Null while no record of the partition has had a cursor. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  cursorTime?: Date;

  @Property({ type: 'json', columnType: 'json' })
  marks: SavedCursor['marks'];

  /** Version of the parent record at the last complete read of its children. Null if the version is unknown. */
  @Property({ type: 'text', nullable: true })
  parentVersion?: string;

  /** `runUntil` of the last run that found the parent record unchanged. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  parentCheckedAt?: Date;
}
