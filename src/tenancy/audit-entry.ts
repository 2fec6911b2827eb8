import { Index, Property } from '@mikro-orm/decorators/legacy';
import { Field } from 'type-graphql';
import { DateTimeColumn, JsonColumn, PlainObjectType, TextColumn } from '../kernel/entities/column-decorators.js';
import { JsonObject } from '../kernel/entities/scalars.js';
import { TenantOwned, TenantTable } from '../kernel/entities/tenant-table.js';
import { Base62Id, IdColumn } from '../kernel/ids.js';

@PlainObjectType(
  'That somebody changed something. Written in the transaction of the change, and never changed or removed.',
)
@TenantTable({ orderBy: { at: 'desc', id: 'asc' }, appendOnly: true })
@Index({ properties: ['tenantId', 'at'] })
export class AuditEntry extends TenantOwned {
  @DateTimeColumn('When.')
  at: Date = new Date();

  @TextColumn('`user`, `api_key` or `system`.')
  actorKind: string;

  @Field(() => Base62Id, { description: 'The user or API key; the fixed system user where the service itself acted.' })
  @Property({ type: IdColumn })
  actorId: string;

  @TextColumn('What was done, such as `invitation.revoked`.')
  action: string;

  @TextColumn('Type of what it was done to.')
  objectType: string;

  @Field(() => Base62Id, { description: 'Id of what it was done to.' })
  @Property({ type: IdColumn })
  objectId: string;

  @TextColumn('Request that did it.')
  requestId: string;

  @JsonColumn(() => JsonObject, 'What the change was; never a secret.', { nullable: true })
  details?: Record<string, unknown>;
}
