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
 * PostgreSQL setting with the hash of a sender's token. A request of a sender names no workspace, so row level security
 * reveals only the token with this hash.
 */
export const INGEST_TOKEN_SETTING = 'taproot.ingest_token';

@PlainObjectType(
  'A secret that authorizes a sender to push records to one tap. The service returns the plain text only once, when it creates the token.',
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
    description: 'Tap to which the token authorizes pushes. Null if the tap was deleted.',
    nullable: true,
  })
  @TenantRelation(() => TenantConnectorTap, 'tap_id')
  tap: Ref<TenantConnectorTap>;

  @Field(() => Base62Id, { description: 'Id of the tap.' })
  tenantConnectorTapId: string;

  @TextColumn('First 12 characters of the token, to identify it.')
  prefix: string;

  /** Hexadecimal SHA-256 of the token. */
  @Property({ type: 'text' })
  @Unique()
  hash: string;

  @DateTimeColumn('Expiry. Null if the token does not expire.', { nullable: true })
  expiresAt?: Date;

  @DateTimeColumn(
    'Time of the last push with the token, with a precision of one minute. Null if the token was never used.',
    { nullable: true },
  )
  lastUsedAt?: Date;

  @DateTimeColumn('Time of revocation. Null if the token is not revoked.', { nullable: true })
  revokedAt?: Date;

  @DateTimeColumn('Time of rotation. Null if the token was not rotated.', { nullable: true })
  rotatedAt?: Date;
}
