import { Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field } from 'type-graphql';
import { DateTimeColumn, PlainObjectType, TextColumn } from '../../kernel/entities/column-decorators.js';
import { TenantAudited, TenantTable } from '../../kernel/entities/tenant-table.js';
import type { Grant } from '../permissions.js';

@PlainObjectType('Lets a program into the workspace. The key itself is shown once and never stored.')
@TenantTable({ orderBy: { createdAt: 'desc', id: 'asc' } })
@Unique({ properties: ['tenantId', 'hash'] })
export class ApiKey extends TenantAudited {
  @TextColumn('What it is for.')
  name: string;

  @TextColumn('End of the key, to tell one from another.')
  ending: string;

  /** SHA-256 of the key, hexadecimal. */
  @Property({ type: 'text' })
  hash: string;

  @Field(() => [String], { description: 'What it allows: `resource:action`, `resource:*` or `*`.' })
  @Property({ type: 'json', columnType: 'json' })
  permissions: Grant[];

  @DateTimeColumn('When it stops working; missing where it does not.', { nullable: true })
  expiresAt?: Date;

  @DateTimeColumn('When it was used last, to the minute.', { nullable: true })
  lastUsedAt?: Date;

  @DateTimeColumn('When it was revoked.', { nullable: true })
  revokedAt?: Date;
}
