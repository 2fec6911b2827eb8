import type { Ref } from '@mikro-orm/core';
import { Index, Property } from '@mikro-orm/decorators/legacy';
import { Field } from 'type-graphql';
import {
  ByteCountColumn,
  DateTimeColumn,
  EnumColumn,
  IntColumn,
  PlainObjectType,
} from '../kernel/entities/column-decorators.js';
import { TenantOwned, TenantRelation, TenantTable } from '../kernel/entities/tenant-table.js';
import { wireEnum } from '../kernel/entities/wire-enum.js';
import { CatalogTable } from './catalog-table.js';

export const TableFileKind = wireEnum('TableFileKind', 'What a file of a table holds.', {
  data: 'Rows of the table.',
  rejects: 'Rows that did not fit: `reason` says why, `record` is the row as it came.',
});
export type TableFileKind = keyof typeof TableFileKind;

/** `pending`: on its way into the store, or left there by a process that was lost. `replaced`: no part of the table any more; its bytes go after a while. */
export type TableFileState = 'pending' | 'live' | 'replaced';

@PlainObjectType('A Parquet file of a table. It never changes; compaction and retention replace it.')
@TenantTable({ orderBy: { createdAt: 'desc', id: 'asc' } })
@Index({ properties: ['table', 'state', 'createdAt'] })
export class TableFile extends TenantOwned {
  @TenantRelation(() => CatalogTable, 'table_id')
  table: Ref<CatalogTable>;

  @Field({ description: 'Its place below the address of the file store.' })
  key: string;

  @EnumColumn(TableFileKind, 'What it holds.')
  kind: TableFileKind;

  @Property({ type: 'text' })
  state: TableFileState = 'pending';

  @ByteCountColumn('Rows in it.')
  rows: number = 0;

  @ByteCountColumn('Its bytes.')
  bytes: number = 0;

  @IntColumn('That of the table when it was written.')
  schemaVersion: number;

  @DateTimeColumn('When the oldest of its rows came in.')
  firstReceivedAt: Date;

  @DateTimeColumn('When the latest of its rows came in.')
  lastReceivedAt: Date;

  @DateTimeColumn('When it was written.')
  createdAt: Date = new Date();

  /** Of a pending one: until then it is being written for sure. Of a replaced one: until then readers may still have it. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  keptUntil?: Date;
}
