import { Int } from 'type-graphql';
import { SyncErrorClass } from '../../catalog/model/sync-error-class.js';
import { SyncResponsible } from '../../instances/sync-failure-advice.js';
import { OptionalField, PlainObjectType, RequiredField } from '../../kernel/entities/column-decorators.js';
import { JsonObject } from '../../kernel/entities/scalars.js';
import { TapRequestTrace } from '../tap-request-trace.js';

@PlainObjectType('A column that a table of the records would have.')
export class TapTrialColumn {
  @RequiredField('Name of the column.')
  name: string;

  @RequiredField('Column type, such as `Integer`. The types are the same as in `schema` of a table.')
  type: string;
}

@PlainObjectType('Result of reading the first page of a tap. The service stores nothing.')
export class TapTrialResult {
  @RequiredField('Requests in the order in which the service sent them, including requests of parent taps.', () => [
    TapRequestTrace,
  ])
  requests: TapRequestTrace[];

  @RequiredField(
    'At most 50 records of the first page. Numbers that JavaScript cannot represent exactly are strings.',
    () => [JsonObject],
  )
  records: Record<string, unknown>[];

  @RequiredField('Number of records on the first page.', () => Int)
  recordCount: number;

  @RequiredField('Columns that a table of these records would have.', () => [TapTrialColumn])
  columns: TapTrialColumn[];

  @OptionalField('Method and URL of the request for the next page. Null if there is none.')
  nextRequest?: string;

  @OptionalField('Class of the failure. Null if the service read the page.', () => SyncErrorClass)
  errorClass?: SyncErrorClass;

  @OptionalField('Description of the failure. Null if the service read the page.')
  errorMessage?: string;

  @OptionalField('Who must act. Null if the service read the page.', () => SyncResponsible)
  responsible?: SyncResponsible;

  @OptionalField('Recommended action after the failure. Null if the service read the page.')
  nextStep?: string;
}
