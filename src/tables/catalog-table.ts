import type { Ref } from '@mikro-orm/core';
import { Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, Int } from 'type-graphql';
import { TenantConnectorTap } from '../instances/tenant-connector-tap.js';
import {
  ByteCountColumn,
  DateTimeColumn,
  EnumColumn,
  ExactJsonColumn,
  IntColumn,
  JsonColumn,
  PlainObjectType,
} from '../kernel/entities/column-decorators.js';
import { Listed } from '../kernel/entities/listed.js';
import { JsonObject } from '../kernel/entities/scalars.js';
import { TenantAudited, TenantRelation, TenantTable } from '../kernel/entities/tenant-table.js';
import { wireEnum } from '../kernel/entities/wire-enum.js';
import { IdColumn } from '../kernel/ids.js';
import type { ProposedColumn, TableSchema } from './table-schema.js';

export const TableMerger = wireEnum(
  'TableMerger',
  'Who merges the versions of a record, if the mode of the tap is `upsert`.',
  {
    service: 'The service. In the modes `append` and `history`, each version keeps its own row.',
    reader: 'The program that reads the table: each change is a row, with the columns `_op` and `_version`.',
  },
);
export type TableMerger = keyof typeof TableMerger;

const TABLE_NAME_SQL = `(
  select tap.table_name from tenant_connector_tap tap
  where tap.tenant_id = catalog_table.tenant_id and tap.id = catalog_table.tap_id)`;

@PlainObjectType('A table of the workspace catalog: the rows of one tap and of its feeding taps, in Parquet files.')
@TenantTable({ orderBy: { createdAt: 'asc', id: 'asc' } })
@Unique({ properties: ['tenantId', 'tap'] })
@Listed({
  filters: ['tap', 'createdAt', 'lastReceivedAt'],
  computed: { name: (compare) => compare(TABLE_NAME_SQL) },
  orders: ['createdAt', 'rows', 'bytes', 'lastReceivedAt'],
})
export class CatalogTable extends TenantAudited {
  @TenantRelation(() => TenantConnectorTap, 'tap_id')
  tap: Ref<TenantConnectorTap>;

  @Field({ description: 'Table name, unique in the workspace. Equals the `tableName` of the tap.' })
  name: string;

  @JsonColumn(
    () => JsonObject,
    'Columns of the table, in the list `fields`. Each column has a `name` and a `type`, a Decimal also has a `scale`, and a column with percentages or amounts of money also has a `unit`. The table contains 12.5 % as 12.5, not as 0.125. All columns are nullable.',
  )
  schema: TableSchema;

  @IntColumn('Version of the columns. Starts at 1 and increases with each change.')
  schemaVersion: number = 1;

  @IntColumn('Number of the current version, or 0 if the table has no version.', { default: 0 })
  version: number = 0;

  @ByteCountColumn('Number of rows in the table.')
  rows: number = 0;

  @ByteCountColumn('Total size of all files, in bytes.')
  bytes: number = 0;

  @IntColumn('Number of files of the kind `data`.')
  fileCount: number = 0;

  @ByteCountColumn('Number of rejected rows. Files of the kind `rejects` contain these rows, with the reason.')
  rejectedRows: number = 0;

  @ByteCountColumn('Number of held records, which wait for a decision about new columns.', { default: '0' })
  heldRecords: number = 0;

  @ExactJsonColumn(
    () => [JsonObject],
    'Columns that the held records need. Each object has the `name` and `type` of a column, and `records`, the number of held records with a value for the column. Null without held records.',
    { nullable: true },
  )
  proposedColumns?: ProposedColumn[];

  @EnumColumn(
    TableMerger,
    'Who merges the versions of a record. The value is `reader` if the size of the table has exceeded the service setting `MERGE_MAX_TABLE_BYTES`. A reset of the tap changes the value back to `service`.',
    { default: 'service' },
  )
  mergedBy: TableMerger = 'service';

  /**
   * Whether rows have `HISTORY_COLUMNS`. If the mode of the tap changes, the value remains until the service has
   * replaced all rows.
   */
  @Property({ type: 'boolean', default: false })
  hasHistory: boolean = false;

  @DateTimeColumn('When the oldest row was received. Null if the table has no rows.', { nullable: true })
  firstReceivedAt?: Date;

  @DateTimeColumn('When the newest row was received. Null if the table has no rows.', { nullable: true })
  lastReceivedAt?: Date;

  @Field(() => Int, {
    nullable: true,
    description: 'Seconds since the newest row was received. Null if the table has no rows.',
  })
  freshnessSeconds?: number;

  /** Holder and expiry of the write lease (see `withTableLease`). */
  @Property({ type: IdColumn, nullable: true })
  writer?: string;

  @Property({ type: 'datetime', length: 3, nullable: true })
  writerUntil?: Date;
}
