import type { Ref } from '@mikro-orm/core';
import { Index, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field } from 'type-graphql';
import { TenantConnectorTap } from '../instances/tenant-connector-tap.js';
import { DateTimeColumn, PlainObjectType, TextColumn } from '../kernel/entities/column-decorators.js';
import { Listed } from '../kernel/entities/listed.js';
import { TenantAudited, TenantRelation, TenantTable } from '../kernel/entities/tenant-table.js';
import { Base62Id } from '../kernel/ids.js';
import { Access } from '../tenancy/access.js';

/**
 * Setting with the hash of a sender's token. A sender has no workspace, so row level security permits access to the
 * token's row by its hash.
 */
export const INGEST_TOKEN_SETTING = 'taproot.ingest_token';

@PlainObjectType(
  'A secret that authorizes a sender to push records to one tap. Its plain text is returned only once, on creation.',
)
@TenantTable({
  orderBy: { createdAt: 'desc', id: 'asc' },
  policies: [{ name: 'shown', command: 'select', using: `hash = current_setting('${INGEST_TOKEN_SETTING}', true)` }],
})
@Index({ properties: ['tap', 'createdAt'] })
@Listed({ filters: ['tap', 'createdAt', 'expiresAt', 'revokedAt'], orders: ['createdAt', 'expiresAt', 'lastUsedAt'] })
export class IngestToken extends TenantAudited {
  @Access('connectors:read')
  @Field(() => TenantConnectorTap, {
    description: 'Tap that the token authorizes pushes to; null if it was deleted.',
    nullable: true,
  })
  @TenantRelation(() => TenantConnectorTap, 'tap_id')
  tap: Ref<TenantConnectorTap>;

  @Field(() => Base62Id, { description: 'Id of the tap.' })
  tenantConnectorTapId: string;

  @TextColumn('First 12 characters of the token, to identify it.')
  prefix: string;

  /** SHA-256 of the token, hexadecimal. */
  @Property({ type: 'text' })
  @Unique()
  hash: string;

  @DateTimeColumn('Expiry; null if the token does not expire.', { nullable: true })
  expiresAt?: Date;

  @DateTimeColumn('Time of the last push with the token, to the minute; null if it was never used.', { nullable: true })
  lastUsedAt?: Date;

  @DateTimeColumn('Time of revocation; null if the token is not revoked.', { nullable: true })
  revokedAt?: Date;

  @DateTimeColumn('Time of rotation; null if the token was not rotated.', { nullable: true })
  rotatedAt?: Date;
}
