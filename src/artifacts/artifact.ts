import { BigIntType, type Ref } from '@mikro-orm/core';
import { Index, Property } from '@mikro-orm/decorators/legacy';
import { Extensions, Field } from 'type-graphql';
import type { DataSchema } from '../csv/model/data-schema.js';
import { TenantConnectorTap } from '../instances/tenant-connector-tap.js';
import {
  ByteCountColumn,
  EnumColumn,
  JsonColumn,
  PlainObjectType,
  RequiredField,
  TextColumn,
} from '../kernel/entities/column-decorators.js';
import { JsonObject } from '../kernel/entities/scalars.js';
import { TenantAudited, TenantRelation, TenantTable } from '../kernel/entities/tenant-table.js';
import { Base62Id, IdColumn } from '../kernel/ids.js';
import { ArtifactFileType, ArtifactUploadStatus, SchemaInferenceStatus } from './artifact-status.js';
import { SchemaInference, SchemaInferenceError } from './schema-inference.js';

@PlainObjectType('Who uploaded a file.')
export class ArtifactUploader {
  @RequiredField('Id of the user; that of its maker for an API key.', () => Base62Id)
  id: string;

  @RequiredField('Name for people.')
  name: string;

  @RequiredField('Address.')
  email: string;
}

@PlainObjectType('A file of the workspace.')
@TenantTable({ orderBy: { createdAt: 'desc', id: 'asc' } })
@Index({ properties: ['tenantId', 'createdAt'] })
@Index({ properties: ['attributedTap'] })
export class Artifact extends TenantAudited {
  @TextColumn('Its name, which may be another one than at the upload.')
  fileName: string;

  @ByteCountColumn('In bytes; 0 while it is on its way.')
  fileSize: number = 0;

  @EnumColumn(ArtifactFileType, 'What it is, by its content.')
  fileType: ArtifactFileType;

  @EnumColumn(ArtifactUploadStatus, 'How far its upload is.')
  uploadStatus: ArtifactUploadStatus = 'pending';

  @EnumColumn(SchemaInferenceStatus, 'Whether the types of its columns are known.')
  schemaInferenceStatus: SchemaInferenceStatus = 'not_requested';

  @Field(() => ArtifactUploader, { description: 'Who uploaded it.' })
  uploadedBy: ArtifactUploader;

  @TenantRelation(() => TenantConnectorTap, 'attributed_tap_id', { nullable: true })
  attributedTap?: Ref<TenantConnectorTap>;

  @Field(() => Base62Id, { nullable: true, description: 'The workspace tap that was published from it.' })
  attributedTapId?: string;

  @Extensions({ showsNull: true })
  @JsonColumn(
    () => JsonObject,
    'For CSV the dialect and the columns (`fields`): each a String, until an inference says better. Otherwise null.',
    { nullable: true },
  )
  dataSchema?: DataSchema;

  @Extensions({ showsNull: true })
  @TextColumn('The folder that it is shown in, such as `/reports/2026`; null for the root.', { nullable: true })
  path?: string;

  @JsonColumn(() => SchemaInference, 'What the latest inference that succeeded found.', { nullable: true })
  inference?: SchemaInference;

  @JsonColumn(() => SchemaInferenceError, 'Why the latest inference failed; missing where it did not.', {
    nullable: true,
  })
  inferenceError?: SchemaInferenceError;

  /** Counted as used storage while the upload is under way. */
  @Property({ type: new BigIntType('number'), default: 0 })
  reservedBytes: number = 0;

  /** Of all bytes, hexadecimal. */
  @Property({ type: 'text', nullable: true })
  sha256?: string;

  /** Of the first `INFERENCE_SAMPLE_BYTES`, hexadecimal: what an inference reads is what was uploaded. */
  @Property({ type: 'text', nullable: true })
  headSha256?: string;

  /** Until when an upload is under way for sure; whoever uploads moves it on. Later than that, its process was lost. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  uploadingUntil?: Date;

  /** The inference under way, a UUID, and until when it is so for sure. */
  @Property({ type: IdColumn, nullable: true })
  inferenceRun?: string;

  @Property({ type: 'datetime', length: 3, nullable: true })
  inferringUntil?: Date;

  @Property({ type: 'datetime', length: 3, nullable: true })
  deletedAt?: Date;

  /** When its bytes were destroyed, some time after it was deleted. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  purgedAt?: Date;
}
