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
import { Listed } from '../kernel/entities/listed.js';
import { TenantOwned, TenantRelation, TenantTable } from '../kernel/entities/tenant-table.js';
import { wireEnum } from '../kernel/entities/wire-enum.js';
import { IdColumn } from '../kernel/ids.js';
import { Access } from '../tenancy/access.js';
import { CatalogTable } from './catalog-table.js';
import type { ProposedColumn } from './table-schema.js';

export const TableFileKind = wireEnum('TableFileKind', 'Content of a table file.', {
  data: 'Rows of the table.',
  rejects: 'Rejected rows: `record` is the row as received, and `reason` explains the rejection.',
  held: 'Records that wait for a decision about new columns: `record`, the `reason`, and the key and version time of the record.',
  deletes:
    'Keys and version times of deleted records. In mode `upsert`, the table does not contain their rows. In mode `history`, it contains their earlier versions.',
  unchanged:
    'In mode `history`, keys and version times of records whose latest version has the same values as the previous version.',
  keys: 'Keys of the records that an open full read has returned so far. Files of this kind are never part of a table, so requests for this kind return nothing.',
});
export type TableFileKind = keyof typeof TableFileKind;

/**
 * A `pending` file is not part of the table yet: its upload or run has not ended, its rows are held, or a lost process
 * left it behind. The next merge adds the rows of an `unmerged` file to the table. A `live` file is part of the table.
 * A `replaced` file is no longer part of the table, and a job deletes it after a grace period.
 */
export type TableFileState = 'pending' | 'unmerged' | 'live' | 'replaced';

@PlainObjectType(
  'A Parquet file of a table. Its content never changes. Merges, compaction and full reads replace files with new ones, and retention removes files.',
)
@TenantTable({ orderBy: { createdAt: 'desc', id: 'asc' } })
@Index({ properties: ['table', 'state', 'createdAt'] })
@Listed({ filters: ['kind', 'createdAt'], orders: ['createdAt', 'rows', 'bytes'] })
export class TableFile extends TenantOwned {
  @Access('catalog:read')
  @Field(() => CatalogTable, { description: 'Table that the file belongs to.' })
  @TenantRelation(() => CatalogTable, 'table_id')
  table: Ref<CatalogTable>;

  @Field({ description: 'Key of the file, relative to the root of the file store.' })
  key: string;

  @Field(() => String, {
    nullable: true,
    description:
      'URL of the file in the bucket of the file store, such as `s3://bucket/key`. Null if the file store is a folder.',
  })
  url?: string;

  @EnumColumn(TableFileKind, 'Content of the file.')
  kind: TableFileKind;

  @Property({ type: 'text' })
  state: TableFileState = 'pending';

  @ByteCountColumn('Number of rows.')
  rows: number = 0;

  @ByteCountColumn('Size in bytes.')
  bytes: number = 0;

  @IntColumn('Schema version of the table when the file was written.')
  schemaVersion: number;

  @DateTimeColumn('When the oldest row in the file was received.')
  firstReceivedAt: Date;

  @DateTimeColumn('When the newest row in the file was received.')
  lastReceivedAt: Date;

  /**
   * Smallest and largest `_record_key`, in the order of UTF-8 bytes. If both are null, the file lacks this column. If
   * both are empty, no row has a key. If only `lastKey` is null, any key is possible.
   */
  @Property({ type: 'text', nullable: true })
  firstKey?: string;

  @Property({ type: 'text', nullable: true })
  lastKey?: string;

  @DateTimeColumn('When the file was written.')
  createdAt: Date = new Date();

  /**
   * Id of the tap run that wrote a pending file. Set if the file becomes part of the table only at the end of the run,
   * or when a user accepts its rows. Later steps of the run extend `keptUntil`.
   */
  @Property({ type: IdColumn, nullable: true })
  generation?: string;

  @Property({ type: 'json', columnType: 'json', nullable: true })
  proposedColumns?: ProposedColumn[];

  /**
   * First version of the table that contains the file. Null while no version contains the file, and for files from
   * before the service stored versions.
   */
  @Property({ type: 'integer', nullable: true })
  fromVersion?: number;

  /** First version of the table without the file. Null while the file is part of the table. */
  @Property({ type: 'integer', nullable: true })
  untilVersion?: number;

  /**
   * For a pending file, the time until which the writer can commit the file. For a replaced file, the time until which
   * readers can still use the file.
   */
  @Property({ type: 'datetime', length: 3, nullable: true })
  keptUntil?: Date;
}
