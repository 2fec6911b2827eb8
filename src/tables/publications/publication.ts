import type { Ref } from '@mikro-orm/core';
import { Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field } from 'type-graphql';
import { TenantConnectorTap } from '../../instances/tenant-connector-tap.js';
import { AnnouncesChanges } from '../../kernel/changes/change.js';
import {
  ByteCountColumn,
  DateTimeColumn,
  EnumColumn,
  PlainObjectType,
  TextColumn,
} from '../../kernel/entities/column-decorators.js';
import { TenantOwned, TenantRelation, TenantTable } from '../../kernel/entities/tenant-table.js';
import { wireEnum } from '../../kernel/entities/wire-enum.js';
import { IdColumn } from '../../kernel/ids.js';
import { Access } from '../../tenancy/access.js';

export const PublicationStatus = wireEnum('PublicationStatus', 'Status of a publication.', {
  queued: 'The publication waits for a worker.',
  running: 'The rows are being loaded.',
  succeeded: 'The rows are in the table.',
  failed: 'The publication failed. `error` contains the reason. The table contains no rows of the file.',
});
export type PublicationStatus = keyof typeof PublicationStatus;

export const OPEN_PUBLICATION_STATUSES: readonly PublicationStatus[] = ['queued', 'running'];

export function isPublicationOpen({ status }: { readonly status: PublicationStatus }): boolean {
  return OPEN_PUBLICATION_STATUSES.includes(status);
}

@PlainObjectType('Publication of a file as the table of a tap.')
@TenantTable()
@Unique({ properties: ['tenantId', 'tap'] })
@AnnouncesChanges({ parent: 'new.tap_id' })
export class Publication extends TenantOwned {
  @Access('connectors:read')
  @Field(() => TenantConnectorTap, {
    description: 'Tap that was published from the file. Null if the tap was deleted.',
    nullable: true,
  })
  @TenantRelation(() => TenantConnectorTap, 'tap_id')
  tap: Ref<TenantConnectorTap>;

  @Property({ type: IdColumn })
  artifactId: string;

  @EnumColumn(PublicationStatus, 'Status of the publication.')
  status: PublicationStatus = 'queued';

  @ByteCountColumn('Number of bytes read so far.')
  bytesRead: number = 0;

  @ByteCountColumn('Size of the file, in bytes.')
  bytesTotal: number;

  @ByteCountColumn('Number of rows accepted so far.')
  rows: number = 0;

  @ByteCountColumn('Number of rows rejected so far.')
  rejectedRows: number = 0;

  @TextColumn('Error code (`WA-AF-...`) and message. Null unless the publication failed.', { nullable: true })
  error?: string;

  @DateTimeColumn('Time at which the first attempt started. Null if it has not started.', { nullable: true })
  startedAt?: Date;

  @DateTimeColumn('Time at which the publication succeeded or failed. Null if it has not ended.', { nullable: true })
  endedAt?: Date;
}
