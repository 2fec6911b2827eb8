import type { Ref } from '@mikro-orm/core';
import { Index, Property } from '@mikro-orm/decorators/legacy';
import { Field } from 'type-graphql';
import { DateTimeColumn, EnumColumn, PlainObjectType, TextColumn } from '../../kernel/entities/column-decorators.js';
import { TenantOwned, TenantRelation, TenantTable } from '../../kernel/entities/tenant-table.js';
import { Base62Id, IdColumn } from '../../kernel/ids.js';
import { ConnectorRequest } from './connector-request.js';
import { ConnectorRequestStatus } from './connector-request-status.js';

@PlainObjectType('That a request for a connector was moved on.')
@TenantTable({ orderBy: { movedAt: 'asc', id: 'asc' }, appendOnly: true })
@Index({ properties: ['request'] })
export class ConnectorRequestMove extends TenantOwned {
  @TenantRelation(() => ConnectorRequest, 'request_id')
  request: Ref<ConnectorRequest>;

  @EnumColumn(ConnectorRequestStatus, 'Where it was.')
  from: ConnectorRequestStatus;

  @EnumColumn(ConnectorRequestStatus, 'Where it was moved.')
  to: ConnectorRequestStatus;

  @DateTimeColumn('When.')
  movedAt: Date = new Date();

  @Field(() => Base62Id, { description: 'The user who moved it.' })
  @Property({ type: IdColumn })
  movedBy: string;

  @TextColumn('Why, for those who asked.', { nullable: true })
  note?: string;
}
