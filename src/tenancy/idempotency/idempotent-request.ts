import { Index, Property, Unique } from '@mikro-orm/decorators/legacy';
import { TenantOwned, TenantTable } from '../../kernel/entities/tenant-table.js';
import { IdColumn } from '../../kernel/ids.js';

@TenantTable()
@Unique({ properties: ['tenantId', 'callerId', 'key'] })
@Index({ properties: ['tenantId', 'createdAt'] })
export class IdempotentRequest extends TenantOwned {
  @Property({ type: 'datetime', length: 3 })
  createdAt: Date = new Date();

  @Property({ type: IdColumn })
  callerId: string;

  @Property({ type: 'text' })
  key: string;

  @Property({ type: 'text' })
  fingerprint: string;

  /** Hexadecimal SHA-256 of the uploaded file; null without a file. */
  @Property({ type: 'text', nullable: true })
  fileSha256?: string;

  /** Until this time, the request holds `key`. Null for a finished request, or one that calls no third party. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  claimedUntil?: Date;

  /** `data` of the response as JSON text; empty until the request has finished. */
  @Property({ type: 'text' })
  reply: string;
}
