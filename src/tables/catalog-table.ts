import type { Ref } from '@mikro-orm/core';
import { Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, Int } from 'type-graphql';
import { TenantConnectorTap } from '../instances/tenant-connector-tap.js';
import {
  ByteCountColumn,
  DateTimeColumn,
  IntColumn,
  JsonColumn,
  PlainObjectType,
} from '../kernel/entities/column-decorators.js';
import { JsonObject } from '../kernel/entities/scalars.js';
import { TenantAudited, TenantRelation, TenantTable } from '../kernel/entities/tenant-table.js';
import { IdColumn } from '../kernel/ids.js';
import type { TableSchema } from './table-schema.js';

@PlainObjectType('A table of the workspace catalog: the rows that a tap of the workspace brought, as Parquet files.')
@TenantTable({ orderBy: { createdAt: 'asc', id: 'asc' } })
@Unique({ properties: ['tenantId', 'tap'] })
export class CatalogTable extends TenantAudited {
  @TenantRelation(() => TenantConnectorTap, 'tap_id')
  tap: Ref<TenantConnectorTap>;

  @Field({ description: 'Unique in the workspace; the `tableName` of its tap.' })
  name: string;

  @JsonColumn(
    () => JsonObject,
    'Its columns (`fields`): `name`, `type`, and `scale` of a Decimal. Any value may be missing.',
  )
  schema: TableSchema;

  @IntColumn('Grows with each change of the columns, from 1.')
  schemaVersion: number = 1;

  @ByteCountColumn('Rows in all files.')
  rows: number = 0;

  @ByteCountColumn('Bytes of all files.')
  bytes: number = 0;

  @IntColumn('Files with rows.')
  fileCount: number = 0;

  @ByteCountColumn('Rows that did not fit, kept in files of their own with the reason.')
  rejectedRows: number = 0;

  @DateTimeColumn('When the oldest of its rows came in.', { nullable: true })
  firstReceivedAt?: Date;

  @DateTimeColumn('When the latest of its rows came in.', { nullable: true })
  lastReceivedAt?: Date;

  @Field(() => Int, {
    nullable: true,
    description: 'Seconds since the latest of its rows came in; missing where there is none.',
  })
  freshnessSeconds?: number;

  /** Who adds or replaces files at the moment, and until when that is believed. One at a time: see `withTableLease`. */
  @Property({ type: IdColumn, nullable: true })
  writer?: string;

  @Property({ type: 'datetime', length: 3, nullable: true })
  writerUntil?: Date;
}
