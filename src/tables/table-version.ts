import type { Ref } from '@mikro-orm/core';
import { Index, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field } from 'type-graphql';
import {
  ByteCountColumn,
  DateTimeColumn,
  EnumColumn,
  ExactJsonColumn,
  IntColumn,
  PlainObjectType,
  TextColumn,
} from '../kernel/entities/column-decorators.js';
import { Listed } from '../kernel/entities/listed.js';
import { JsonObject } from '../kernel/entities/scalars.js';
import { TenantOwned, TenantRelation, TenantTable } from '../kernel/entities/tenant-table.js';
import { wireEnum } from '../kernel/entities/wire-enum.js';
import { Base62Id, IdColumn } from '../kernel/ids.js';
import { Access } from '../tenancy/access.js';
import { CatalogTable } from './catalog-table.js';
import type { TableField } from './table-schema.js';

export const TableChangeCause = wireEnum('TableChangeCause', 'What changed a table.', {
  sync: 'A step of a sync, or a decision to accept held rows (`decideHeldRows`). `tapRun` is the run that read the rows.',
  push: 'Pushed records of one or more batches. `batch` is the first of these batches that adds a column. If none adds a column, `batch` is the first batch.',
  publication: 'The publication of a file. `batch` identifies the publication.',
  merge:
    'The service merged rows into the table. A sync or a push had committed these rows earlier, but readers did not see them before the merge.',
  compaction: 'The service merged small files. The rows did not change.',
  decision: 'A decision about held records (`decideHeldRecords`).',
  retention: 'The service removed rows whose retention period had ended.',
});
export type TableChangeCause = keyof typeof TableChangeCause;

export const IS_READABLE = '(readable_until is null or readable_until > clock_timestamp())';
export const CHANGES_COLUMNS = 'added_columns is not null';

/** A column whose type has changed. The type can change only while the table has no rows. */
export interface ChangedType {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

@PlainObjectType('A version of a table. Each commit of rows or columns creates a version.')
@TenantTable({ orderBy: { number: 'desc', id: 'asc' } })
@Unique({ properties: ['tenantId', 'table', 'number'] })
@Index({ properties: ['table', 'createdAt'] })
@Listed({ filters: ['cause', 'createdAt'], orders: ['number', 'createdAt', 'rows'] })
export class TableVersion extends TenantOwned {
  @Access('catalog:read')
  @Field(() => CatalogTable, { description: 'Table of the version.' })
  @TenantRelation(() => CatalogTable, 'table_id')
  table: Ref<CatalogTable>;

  @IntColumn('Number of the version. Starts at 1 and increases with each version.')
  number: number;

  @DateTimeColumn('When the version became current.')
  createdAt: Date;

  @DateTimeColumn('Time until which the version can be read. Null for the current version.', { nullable: true })
  readableUntil?: Date;

  @EnumColumn(TableChangeCause, 'What created the version.')
  cause: TableChangeCause;

  @Field(() => Base62Id, {
    nullable: true,
    description: 'Id of the tap run that created the version. Null unless the cause is `sync`.',
  })
  @Property({ type: IdColumn, nullable: true })
  tapRunId?: string;

  @TextColumn(
    'Batch of the new rows, a UUID as in `_batch`. If the rows are from several batches, this is the first batch that adds a column or, if none adds a column, the first batch. Null unless the cause is `push` or `publication`.',
    {
      nullable: true,
    },
  )
  batch?: string;

  @ByteCountColumn('Number of rows.')
  rows: number;

  @ByteCountColumn('Total size of all files, in bytes.')
  bytes: number;

  @IntColumn('Schema version of the table.')
  schemaVersion: number;

  @ExactJsonColumn(
    () => [JsonObject],
    'Columns that the version adds. Each column has the same properties as in `schema.fields` of the table. Null if the columns did not change.',
    { nullable: true },
  )
  addedColumns?: TableField[];

  @ExactJsonColumn(
    () => [JsonObject],
    'Columns whose type the version changes: `name`, `from` and `to`. Null if the columns did not change.',
    { nullable: true },
  )
  changedTypes?: ChangedType[];
}
