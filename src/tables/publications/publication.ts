import type { Ref } from '@mikro-orm/core';
import { Property, Unique } from '@mikro-orm/decorators/legacy';
import { TenantConnectorTap } from '../../instances/tenant-connector-tap.js';
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

export const PublicationStatus = wireEnum('PublicationStatus', 'How far a file is on its way into its table.', {
  queued: 'It waits.',
  running: 'Its rows are being read.',
  succeeded: 'Its rows are in the table.',
  failed: 'It came to nothing; `error` says why. Nothing of it is in the table.',
});
export type PublicationStatus = keyof typeof PublicationStatus;

/** It has not come to its end. */
export const OPEN_PUBLICATION_STATUSES: readonly PublicationStatus[] = ['queued', 'running'];

export function isPublicationOpen({ status }: { readonly status: PublicationStatus }): boolean {
  return OPEN_PUBLICATION_STATUSES.includes(status);
}

@PlainObjectType('How a file becomes the table of the tap that was published from it.')
@TenantTable()
@Unique({ properties: ['tenantId', 'tap'] })
export class Publication extends TenantOwned {
  @TenantRelation(() => TenantConnectorTap, 'tap_id')
  tap: Ref<TenantConnectorTap>;

  @Property({ type: IdColumn })
  artifactId: string;

  @EnumColumn(PublicationStatus, 'How far it is.')
  status: PublicationStatus = 'queued';

  @ByteCountColumn('Bytes of the file that were read so far.')
  bytesRead: number = 0;

  @ByteCountColumn('Bytes of the file.')
  bytesTotal: number;

  @ByteCountColumn('Rows that were taken so far.')
  rows: number = 0;

  @ByteCountColumn('Rows that did not fit so far.')
  rejectedRows: number = 0;

  @TextColumn('Why it failed: a code `WA-AF-...` and a sentence.', { nullable: true })
  error?: string;

  @DateTimeColumn('When it was first begun.', { nullable: true })
  startedAt?: Date;

  @DateTimeColumn('When it ended.', { nullable: true })
  endedAt?: Date;
}
