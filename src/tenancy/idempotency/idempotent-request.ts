import { Index, Property, Unique } from '@mikro-orm/decorators/legacy';
import { TenantOwned, TenantTable } from '../../kernel/entities/tenant-table.js';
import { IdColumn } from '../../kernel/ids.js';

/** What was answered to a request with an Idempotency-Key. */
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

  /** SHA-256 of what was asked. */
  @Property({ type: 'text' })
  fingerprint: string;

  /** SHA-256 of the file that came with it, hexadecimal. */
  @Property({ type: 'text', nullable: true })
  fileSha256?: string;

  /** While a request that calls out is under way: when its claim on the key runs out. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  claimedUntil?: Date;

  /** `data` as JSON text; empty as long as there is a claim. */
  @Property({ type: 'text' })
  reply: string;
}
