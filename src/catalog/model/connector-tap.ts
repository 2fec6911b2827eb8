// The catalog entities import each other. Without this first import, ConnectorPart would be undefined here.
import './connector.js';
import { Entity, Unique } from '@mikro-orm/decorators/legacy';
import { Int } from 'type-graphql';
import {
  BooleanColumn,
  DateTimeColumn,
  EnumColumn,
  ExactJsonColumn,
  JsonColumn,
  OptionalField,
  PlainObjectType,
  TextColumn,
} from '../../kernel/entities/column-decorators.js';
import { Listed } from '../../kernel/entities/listed.js';
import { JsonObject } from '../../kernel/entities/scalars.js';
import { wireEnum } from '../../kernel/entities/wire-enum.js';
import { ConnectorPart } from './connector-part.js';
import { RateLimits } from './rate-limits.js';
import { ResponseExtraction } from './response-extraction.js';
import { TapFeed } from './tap-feed.js';
import { TapQualityConfig } from './tap-quality-config.js';
import { TapSync } from './tap-sync.js';
import { TransportOption } from './transport-option.js';
import { ParentContextField } from './traversal.js';

export const TapDataKind = wireEnum('TapDataKind', 'Kind of the records of a tap.', {
  snapshot: 'State of an object when it was read.',
  event: 'An immutable event.',
  changelog: 'A change to an object: insert, update or delete.',
});
export type TapDataKind = keyof typeof TapDataKind;

export const TapDeletionSemantics = wireEnum('TapDeletionSemantics', 'How the source reports deletions.', {
  none: 'The source does not report deletions.',
  by_absence: 'A full read no longer contains the record.',
  by_tombstone: 'The record contains a deletion marker.',
  by_event: 'The source sends a deletion event.',
});
export type TapDeletionSemantics = keyof typeof TapDeletionSemantics;

@PlainObjectType('Treatment of fields that the schema of the tap does not declare.')
export class TapCustomFields {
  @OptionalField('Whether the service stores unknown fields. Defaults to `true`.')
  captureUnknownFields?: boolean;

  @OptionalField(
    'Regular expressions. The service stores unknown fields with a matching name even if `captureUnknownFields` is `false`.',
    () => [String],
  )
  knownCustomFieldKeyPatterns?: string[];
}

@PlainObjectType('Authentication that differs per parent record.')
export class PerParentAuth {
  @OptionalField('Field of the parent record that contains the user to impersonate.')
  impersonateField?: string;

  @OptionalField('Name of the impersonation method. Has no effect.')
  method?: string;

  @OptionalField(
    'Name of the request header that contains the impersonated user. The vendor counts the request towards the quota of this user.',
  )
  quotaUserHeader?: string;
}

@PlainObjectType('Retention of records.')
export class RetentionPolicy {
  @OptionalField(
    'Age of rows, in days, after which the service removes the rows. The service removes whole files, so a row remains until all rows of its file have reached this age.',
    () => Int,
  )
  retentionDays?: number;

  @OptionalField(
    'Age of the newest record, in days, above which the check `freshness` fails. Defaults to 7.',
    () => Int,
  )
  alertThresholdDays?: number;
}

@PlainObjectType('A data stream of a connector.')
@Entity({ orderBy: { position: 'asc' } })
@Unique({ properties: ['connector', 'name'] })
@Listed({ filters: ['name', 'enabledByDefault', 'identityDirectory', 'dataKind'], orders: ['name'] })
export class ConnectorTap extends ConnectorPart {
  @TextColumn('Name, unique within the connector: lowercase letters, digits and underscores.')
  name: string;

  @TextColumn('Description of the records.', { nullable: true })
  description?: string;

  @BooleanColumn('Whether the tap is enabled on new connections.')
  enabledByDefault: boolean;

  @BooleanColumn(
    "Whether the records are the customer's users or accounts. Records of other taps refer to these records.",
  )
  identityDirectory: boolean;

  @ExactJsonColumn(() => ResponseExtraction, 'Extraction of the records from a response.')
  responseExtraction: ResponseExtraction;

  @JsonColumn(() => JsonObject, 'JSON Schema of one record.')
  schema: Record<string, unknown>;

  @ExactJsonColumn(() => TapSync, 'Sync mode and its settings.')
  sync: TapSync;

  @ExactJsonColumn(() => [TransportOption], 'Alternative ways to read the tap from the source. Empty for pushed taps.')
  transportOptions: TransportOption[];

  @ExactJsonColumn(() => TapCustomFields, 'Treatment of fields that the schema does not declare.', { nullable: true })
  customFields?: TapCustomFields;

  @EnumColumn(TapDataKind, 'Kind of the records.', { nullable: true })
  dataKind?: TapDataKind;

  @EnumColumn(TapDeletionSemantics, 'How the source reports deletions.', { nullable: true })
  deletionSemantics?: TapDeletionSemantics;

  @DateTimeColumn('Time since which the connector offers the tap.', { nullable: true })
  enabledSince?: Date;

  @ExactJsonColumn(
    () => TapFeed,
    'A different tap whose table receives the records of this tap. Null if the tap has its own table.',
    {
      nullable: true,
    },
  )
  feeds?: TapFeed;

  @TextColumn(
    'Name of external code that extracts the records. The service cannot run this code, so runs of a tap with this setting fail.',
    { nullable: true },
  )
  extractionHook?: string;

  @TextColumn('Name of the object at the source.', { nullable: true })
  objectName?: string;

  @ExactJsonColumn(() => [ParentContextField], 'Fields copied from the parent record.', { nullable: true })
  parentContextFields?: ParentContextField[];

  @ExactJsonColumn(() => PerParentAuth, 'Authentication that differs per parent record.', { nullable: true })
  perParentAuth?: PerParentAuth;

  @ExactJsonColumn(() => TapQualityConfig, 'Quality checks and control charts.', { nullable: true })
  qualityConfig?: TapQualityConfig;

  @ExactJsonColumn(
    () => RateLimits,
    'Rate limits of this tap. Each field that is set replaces the same field in `rateLimits` of the connector.',
    {
      nullable: true,
    },
  )
  rateLimitOverride?: RateLimits;

  @ExactJsonColumn(
    () => RateLimits,
    'Rate limits that the source applies only to this tap, in addition to the limits of the connector.',
    { nullable: true },
  )
  rateLimits?: RateLimits;

  @TextColumn(
    'Name of external code that prepares the request. The service cannot run this code, so runs of a tap with this setting fail.',
    { nullable: true },
  )
  requestHook?: string;

  @ExactJsonColumn(() => RetentionPolicy, 'Retention of records.', { nullable: true })
  retentionPolicy?: RetentionPolicy;

  @ExactJsonColumn(() => [Int], 'HTTP statuses after which a run skips the tap.', { nullable: true })
  skipOnHttpStatus?: number[];

  @TextColumn('Field that marks a deleted record, for `deletionSemantics` `by_tombstone` or `by_event`.', {
    nullable: true,
  })
  tombstoneMarkerColumn?: string;

  @ExactJsonColumn(
    () => [String],
    'Values of `tombstoneMarkerColumn` that mark a deletion. Defaults to all values except null, `false`, `0` and the empty string.',
    { nullable: true },
  )
  tombstoneValues?: string[];
}
