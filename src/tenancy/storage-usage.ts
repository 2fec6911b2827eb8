import { BigIntType } from '@mikro-orm/core';
import { Enum, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field } from 'type-graphql';
import { PlainObjectType } from '../kernel/entities/column-decorators.js';
import { SafeInt } from '../kernel/entities/scalars.js';
import { TenantOwned, TenantTable } from '../kernel/entities/tenant-table.js';

/** Uploaded files, pushed records that no table contains yet, and the files of tables. */
export const STORAGE_KINDS = ['files', 'records', 'tables'] as const;
export type StorageKind = (typeof STORAGE_KINDS)[number];

/** The transaction that changes the counted rows updates this row, so a read takes constant time. */
@TenantTable()
@Unique({ properties: ['tenantId', 'kind'] })
export class StorageUsage extends TenantOwned {
  @Enum({ items: [...STORAGE_KINDS], type: 'text' })
  kind: StorageKind;

  @Property({ type: new BigIntType('number') })
  bytes: number = 0;
}

@PlainObjectType('Storage of the workspace, in bytes.')
export class WorkspaceStorage {
  @Field(() => SafeInt, {
    description: 'Bytes of uploaded files and of uploads in progress. Deleted files do not count.',
  })
  fileBytes: number;

  @Field(() => SafeInt, { description: 'Bytes of pushed records that are not in their table yet.' })
  recordBytes: number;

  @Field(() => SafeInt, {
    description:
      'Bytes of table files. A file counts until the service has removed all versions of the table that contain the file.',
  })
  tableBytes: number;

  @Field(() => SafeInt, { description: 'Sum of `fileBytes`, `recordBytes` and `tableBytes`.' })
  usedBytes: number;

  @Field(() => SafeInt, { nullable: true, description: 'Storage quota in bytes. Null without a quota.' })
  quotaBytes?: number;
}
