import type { Ref } from '@mikro-orm/core';
import { Index, Property } from '@mikro-orm/decorators/legacy';
import { Field } from 'type-graphql';
import { DateTimeColumn, EnumColumn, PlainObjectType, TextColumn } from '../../kernel/entities/column-decorators.js';
import { Listed } from '../../kernel/entities/listed.js';
import { TenantOwned, TenantRelation, TenantTable } from '../../kernel/entities/tenant-table.js';
import { Base62Id, IdColumn } from '../../kernel/ids.js';
import { Access } from '../../tenancy/access.js';
import { ConnectorRequest } from './connector-request.js';
import { ConnectorRequestStatus } from './connector-request-status.js';

@PlainObjectType('A status change of a connector request.')
@TenantTable({ orderBy: { movedAt: 'asc', id: 'asc' }, appendOnly: true })
@Index({ properties: ['request'] })
@Listed({ filters: ['from', 'to', 'movedAt'], orders: ['movedAt'] })
export class ConnectorRequestMove extends TenantOwned {
  @Access('connector_requests:read')
  @Field(() => ConnectorRequest, { description: 'Request whose status changed.' })
  @TenantRelation(() => ConnectorRequest, 'request_id')
  request: Ref<ConnectorRequest>;

  @EnumColumn(ConnectorRequestStatus, 'Previous status.')
  from: ConnectorRequestStatus;

  @EnumColumn(ConnectorRequestStatus, 'New status.')
  to: ConnectorRequestStatus;

  @DateTimeColumn('Time of the change.')
  movedAt: Date = new Date();

  @Field(() => Base62Id, {
    description: 'Id of the user who changed the status. For a change by an API key, the user who created the key.',
  })
  @Property({ type: IdColumn })
  movedBy: string;

  @TextColumn('Explanation for the requesters.', { nullable: true })
  note?: string;
}
