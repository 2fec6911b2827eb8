import './connector.js'; // first: entered from here, the circle of the catalog's entities would meet ConnectorPart too early
import { Entity, Unique } from '@mikro-orm/decorators/legacy';
import { Int } from 'type-graphql';
import {
  BooleanColumn,
  DateTimeColumn,
  EnumColumn,
  JsonColumn,
  OptionalField,
  PlainObjectType,
  TextColumn,
} from '../../kernel/entities/column-decorators.js';
import { JsonObject } from '../../kernel/entities/scalars.js';
import { wireEnum } from '../../kernel/entities/wire-enum.js';
import { ConnectorPart } from './connector-part.js';
import { RateLimits } from './rate-limits.js';
import { ResponseExtraction } from './response-extraction.js';
import { TapQualityConfig } from './tap-quality-config.js';
import { TapSync } from './tap-sync.js';
import { TransportOption } from './transport-option.js';
import { ParentContextField } from './traversal.js';

export const TapDataKind = wireEnum('TapDataKind', 'What a record of a tap is.', {
  snapshot: 'The state of a thing at the time it was read.',
  event: 'Something that happened; never changes.',
  changelog: 'A change of a thing: insert, update or delete.',
});
export type TapDataKind = keyof typeof TapDataKind;

export const TapDeletionSemantics = wireEnum('TapDeletionSemantics', 'How a deletion at the source shows.', {
  none: 'It does not.',
  by_absence: 'The record is missing from a full read.',
  by_tombstone: 'The record carries a deletion mark.',
  by_event: 'The source sends a deletion event.',
});
export type TapDeletionSemantics = keyof typeof TapDeletionSemantics;

@PlainObjectType("What happens to fields that the tap's schema does not know.")
export class TapCustomFields {
  @OptionalField('Whether unknown fields are kept.')
  captureUnknownFields?: boolean;

  @OptionalField('Patterns of field names that the customer is known to add.', () => [String])
  knownCustomFieldKeyPatterns?: string[];
}

@PlainObjectType('Authentication that differs for every parent record.')
export class PerParentAuth {
  @OptionalField('Parent field with the user to act for.')
  impersonateField?: string;

  @OptionalField('How the user is acted for.')
  method?: string;

  @OptionalField('Header that names the user whose quota is used.')
  quotaUserHeader?: string;
}

@PlainObjectType('How long records are kept.')
export class RetentionPolicy {
  @OptionalField('Days after which records may be removed.', () => Int)
  retentionDays?: number;

  @OptionalField('Days without new records after which somebody should look.', () => Int)
  alertThresholdDays?: number;
}

@PlainObjectType('A data stream of a connector.')
@Entity({ orderBy: { position: 'asc' } })
@Unique({ properties: ['connector', 'name'] })
export class ConnectorTap extends ConnectorPart {
  @TextColumn('Name within the connector: lower case, digits and underscores.')
  name: string;

  @TextColumn('What one record is.', { nullable: true })
  description?: string;

  @BooleanColumn('Whether a new connection reads this tap.')
  enabledByDefault: boolean;

  @BooleanColumn('Whether the records are people or accounts of the customer, to match other taps against.')
  identityDirectory: boolean;

  @JsonColumn(() => ResponseExtraction, 'Where the records stand in a reply.')
  responseExtraction: ResponseExtraction;

  @JsonColumn(() => JsonObject, 'JSON Schema of one record.')
  schema: Record<string, unknown>;

  @JsonColumn(() => TapSync, 'When and how much is read.')
  sync: TapSync;

  @JsonColumn(() => [TransportOption], 'Ways to read the tap; none for a tap that is sent to.')
  transportOptions: TransportOption[];

  @JsonColumn(() => TapCustomFields, 'What happens to fields that the schema does not know.', { nullable: true })
  customFields?: TapCustomFields;

  @EnumColumn(TapDataKind, 'What a record is.', { nullable: true })
  dataKind?: TapDataKind;

  @EnumColumn(TapDeletionSemantics, 'How a deletion shows.', { nullable: true })
  deletionSemantics?: TapDeletionSemantics;

  @DateTimeColumn('Since when the tap is offered.', { nullable: true })
  enabledSince?: Date;

  @TextColumn('Code that extracts the records where paths do not reach.', { nullable: true })
  extractionHook?: string;

  @TextColumn('Name of the object at the source.', { nullable: true })
  objectName?: string;

  @JsonColumn(() => [ParentContextField], 'Fields taken over from the parent record.', { nullable: true })
  parentContextFields?: ParentContextField[];

  @JsonColumn(() => PerParentAuth, 'Authentication that differs for every parent record.', { nullable: true })
  perParentAuth?: PerParentAuth;

  @JsonColumn(() => TapQualityConfig, 'What is watched about the rows.', { nullable: true })
  qualityConfig?: TapQualityConfig;

  @JsonColumn(() => RateLimits, "Limits that replace the connector's for this tap.", { nullable: true })
  rateLimitOverride?: RateLimits;

  @JsonColumn(() => RateLimits, 'Limits that the source sets on this tap alone.', { nullable: true })
  rateLimits?: RateLimits;

  @TextColumn('Code that prepares the request.', { nullable: true })
  requestHook?: string;

  @JsonColumn(() => RetentionPolicy, 'How long records are kept.', { nullable: true })
  retentionPolicy?: RetentionPolicy;

  @JsonColumn(() => [Int], 'Statuses after which the tap is left out of a run.', { nullable: true })
  skipOnHttpStatus?: number[];

  @TextColumn('Column that marks a deleted record, for deletions by tombstone.', { nullable: true })
  tombstoneMarkerColumn?: string;
}
