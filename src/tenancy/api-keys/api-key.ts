import { Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field } from 'type-graphql';
import { DateTimeColumn, PlainObjectType, TextColumn } from '../../kernel/entities/column-decorators.js';
import { Listed } from '../../kernel/entities/listed.js';
import { TenantAudited, TenantTable } from '../../kernel/entities/tenant-table.js';
import type { Grant } from '../permissions.js';

@PlainObjectType(
  'Credential for programs that call the API in one workspace. The service returns the key only once, and does not store the key itself.',
)
@TenantTable({ orderBy: { createdAt: 'desc', id: 'asc' } })
@Unique({ properties: ['tenantId', 'hash'] })
@Listed({
  filters: ['name', 'createdAt', 'expiresAt', 'lastUsedAt'],
  orders: ['name', 'createdAt', 'expiresAt', 'lastUsedAt'],
})
export class ApiKey extends TenantAudited {
  @TextColumn('Purpose of the key.')
  name: string;

  @TextColumn('Last four characters of the key, to distinguish keys.')
  ending: string;

  /** Hexadecimal SHA-256 of the key. */
  @Property({ type: 'text' })
  hash: string;

  @Field(() => [String], { description: 'Granted permissions: `resource:action`, `resource:*` or `*`.' })
  @Property({ type: 'json', columnType: 'json' })
  permissions: Grant[];

  @DateTimeColumn('Time at which the key expires. Null if it does not expire.', { nullable: true })
  expiresAt?: Date;

  @DateTimeColumn('Time of the last use, with a precision of one minute. Null if the key was never used.', {
    nullable: true,
  })
  lastUsedAt?: Date;

  @DateTimeColumn('Time of revocation. Null if not revoked.', { nullable: true })
  revokedAt?: Date;
}
