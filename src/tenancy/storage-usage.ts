import { BigIntType } from '@mikro-orm/core';
import { Enum, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field } from 'type-graphql';
import { PlainObjectType } from '../kernel/entities/column-decorators.js';
import { SafeInt } from '../kernel/entities/scalars.js';
import { TenantOwned, TenantTable } from '../kernel/entities/tenant-table.js';

/** What takes storage: uploaded files, pushed records that wait for their table, and the files of tables. */
export const STORAGE_KINDS = ['files', 'records', 'tables'] as const;
export type StorageKind = (typeof STORAGE_KINDS)[number];

/** Bytes that a workspace stores. Changes in the transaction that changes the rows behind it, so reading it costs the same however many those are. */
@TenantTable()
@Unique({ properties: ['tenantId', 'kind'] })
export class StorageUsage extends TenantOwned {
  @Enum({ items: [...STORAGE_KINDS], type: 'text' })
  kind: StorageKind;

  @Property({ type: new BigIntType('number') })
  bytes: number = 0;
}

@PlainObjectType('Bytes that the workspace stores.')
export class WorkspaceStorage {
  @Field(() => SafeInt, { description: 'Uploaded files, until their deletion, and uploads under way.' })
  fileBytes: number;

  @Field(() => SafeInt, { description: 'Pushed records that wait for their table.' })
  recordBytes: number;

  @Field(() => SafeInt, { description: 'Files of tables, until an hour after their replacement.' })
  tableBytes: number;

  @Field(() => SafeInt, { description: 'Sum of the three.' })
  usedBytes: number;

  @Field(() => SafeInt, { nullable: true, description: 'The most that the workspace may store; null without a quota.' })
  quotaBytes?: number;
}
