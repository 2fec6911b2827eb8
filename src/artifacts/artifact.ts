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
import { Listed } from '../kernel/entities/listed.js';
import { JsonObject } from '../kernel/entities/scalars.js';
import { TenantAudited, TenantRelation, TenantTable } from '../kernel/entities/tenant-table.js';
import { Base62Id, IdColumn } from '../kernel/ids.js';
import { Access } from '../tenancy/access.js';
import { ArtifactFileType, ArtifactUploadStatus, SchemaInferenceStatus } from './artifact-status.js';
import { SchemaInference, SchemaInferenceError } from './schema-inference.js';

@PlainObjectType('The user who uploaded a file.')
export class ArtifactUploader {
  @RequiredField('Id of the user. For an upload by an API key, the user who created the key.', () => Base62Id)
  id: string;

  @RequiredField('Display name.')
  name: string;

  @RequiredField('Email address.')
  email: string;
}

@PlainObjectType('An uploaded file of the workspace.')
@TenantTable({ orderBy: { createdAt: 'desc', id: 'asc' } })
@Index({ properties: ['tenantId', 'createdAt'] })
@Index({ properties: ['attributedTap'] })
@Listed({
  filters: ['fileName', 'fileType', 'uploadStatus', 'schemaInferenceStatus', 'createdAt'],
  orders: ['fileName', 'fileSize', 'createdAt'],
})
export class Artifact extends TenantAudited {
  @TextColumn('File name. Can be changed after the upload.')
  fileName: string;

  @ByteCountColumn('Size in bytes, or 0 while the upload is in progress.')
  fileSize: number = 0;

  @EnumColumn(ArtifactFileType, 'File type, detected from the content.')
  fileType: ArtifactFileType;

  @EnumColumn(ArtifactUploadStatus, 'State of the upload.')
  uploadStatus: ArtifactUploadStatus = 'pending';

  @EnumColumn(SchemaInferenceStatus, 'State of the schema inference.')
  schemaInferenceStatus: SchemaInferenceStatus = 'not_requested';

  @Field(() => ArtifactUploader, { description: 'The user who uploaded the file.' })
  uploadedBy: ArtifactUploader;

  @Access('connectors:read')
  @Field(() => TenantConnectorTap, {
    description: 'Workspace tap published from the file. Null for an unpublished file.',
    nullable: true,
  })
  @TenantRelation(() => TenantConnectorTap, 'attributed_tap_id', { nullable: true })
  attributedTap?: Ref<TenantConnectorTap>;

  @Field(() => Base62Id, {
    nullable: true,
    description: 'Id of the workspace tap that was published from the file. Null for an unpublished file.',
  })
  attributedTapId?: string;

  @Extensions({ showsNull: true })
  @JsonColumn(
    () => JsonObject,
    'Dialect and columns (`fields`) of a CSV file. Before the first successful inference, every column is a String. A published file keeps the types of its publication. Null for other file types.',
    { nullable: true },
  )
  dataSchema?: DataSchema;

  @Extensions({ showsNull: true })
  @TextColumn('Folder of the file, such as `/reports/2026`. Null for the root.', { nullable: true })
  path?: string;

  @JsonColumn(() => SchemaInference, 'Result of the latest successful inference. Null if no inference has succeeded.', {
    nullable: true,
  })
  inference?: SchemaInference;

  @JsonColumn(
    () => SchemaInferenceError,
    'Reason why the latest inference failed. Null if the latest inference succeeded, or if no inference has run.',
    {
      nullable: true,
    },
  )
  inferenceError?: SchemaInferenceError;

  /** Bytes that count as used storage during the upload. */
  @Property({ type: new BigIntType('number'), default: 0 })
  reservedBytes: number = 0;

  @Property({ type: 'text', nullable: true })
  sha256?: string;

  /**
   * Hexadecimal SHA-256 of the first `INFERENCE_SAMPLE_BYTES`. An inference checks the bytes that it reads against this
   * hash.
   */
  @Property({ type: 'text', nullable: true })
  headSha256?: string;

  /** End of the upload's lease. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  uploadingUntil?: Date;

  @Property({ type: IdColumn, nullable: true })
  inferenceRun?: string;

  @Property({ type: 'datetime', length: 3, nullable: true })
  inferringUntil?: Date;

  @Property({ type: 'datetime', length: 3, nullable: true })
  deletedAt?: Date;

  /** Time at which the cleanup job deleted the bytes. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  purgedAt?: Date;
}
