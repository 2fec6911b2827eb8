import type { Ref } from '@mikro-orm/core';
import { Index, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field } from 'type-graphql';
import { TenantConnectorTap } from '../instances/tenant-connector-tap.js';
import { DateTimeColumn, PlainObjectType, TextColumn } from '../kernel/entities/column-decorators.js';
import { TenantAudited, TenantRelation, TenantTable } from '../kernel/entities/tenant-table.js';
import { Base62Id } from '../kernel/ids.js';

/** The hash of the token that a sender shows: it alone says which workspace the records are for. */
export const INGEST_TOKEN_SETTING = 'taproot.ingest_token';

@PlainObjectType('What lets a sender push records to a tap. Its plaintext is shown once, when it is made.')
@TenantTable({
  orderBy: { createdAt: 'desc', id: 'asc' },
  policies: [{ name: 'shown', command: 'select', using: `hash = current_setting('${INGEST_TOKEN_SETTING}', true)` }],
})
@Index({ properties: ['tap', 'createdAt'] })
export class IngestToken extends TenantAudited {
  @TenantRelation(() => TenantConnectorTap, 'tap_id')
  tap: Ref<TenantConnectorTap>;

  @Field(() => Base62Id, { description: 'The tap that it is for.' })
  tenantConnectorTapId: string;

  @TextColumn('Its first 12 characters, to tell it from others.')
  prefix: string;

  /** SHA-256, hexadecimal. */
  @Property({ type: 'text' })
  @Unique()
  hash: string;

  @DateTimeColumn('When it ends; missing where it does not by itself.', { nullable: true })
  expiresAt?: Date;

  @DateTimeColumn('When records came in with it last, to the minute.', { nullable: true })
  lastUsedAt?: Date;

  @DateTimeColumn('When it was revoked.', { nullable: true })
  revokedAt?: Date;

  @DateTimeColumn('When another one took its place.', { nullable: true })
  rotatedAt?: Date;
}
