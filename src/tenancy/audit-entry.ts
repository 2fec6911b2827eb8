import { Index, Property } from '@mikro-orm/decorators/legacy';
import { Field } from 'type-graphql';
import { DateTimeColumn, JsonColumn, PlainObjectType, TextColumn } from '../kernel/entities/column-decorators.js';
import { Listed } from '../kernel/entities/listed.js';
import { JsonObject } from '../kernel/entities/scalars.js';
import { TenantOwned, TenantTable } from '../kernel/entities/tenant-table.js';
import { Base62Id, IdColumn } from '../kernel/ids.js';

@PlainObjectType(
  'Record of one change. The service writes the entry in the transaction of the change, and never updates or deletes it.',
)
@TenantTable({ orderBy: { at: 'desc', id: 'asc' }, appendOnly: true })
@Index({ properties: ['tenantId', 'at'] })
@Index({ properties: ['tenantId', 'actorId', 'at'] })
@Index({ properties: ['tenantId', 'objectId', 'at'] })
@Listed({
  filters: ['at', 'actorKind', 'actorId', 'action', 'objectType', 'objectId', 'requestId'],
  exact: ['actorKind', 'action', 'objectType', 'requestId'],
  orders: ['at'],
})
export class AuditEntry extends TenantOwned {
  @DateTimeColumn('Time of the change.')
  at: Date = new Date();

  @TextColumn('Kind of actor: `user`, `api_key` or `system`.')
  actorKind: string;

  @Field(() => Base62Id, {
    description: 'Id of the user or API key. For a change by the service itself, the id of the fixed system user.',
  })
  @Property({ type: IdColumn })
  actorId: string;

  @TextColumn('Action, such as `invitation.revoked`.')
  action: string;

  @TextColumn('Type of the changed object.')
  objectType: string;

  @Field(() => Base62Id, { description: 'Id of the changed object.' })
  @Property({ type: IdColumn })
  objectId: string;

  @TextColumn('Id of the request or background job that made the change.')
  requestId: string;

  @JsonColumn(() => JsonObject, 'Details of the change, without secrets. Null without details.', { nullable: true })
  details?: Record<string, unknown>;
}
