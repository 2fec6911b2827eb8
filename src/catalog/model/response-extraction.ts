import { OptionalField, PlainObjectType } from '../../kernel/entities/column-decorators.js';
import { wireEnum } from '../../kernel/entities/wire-enum.js';

export const ResponseFormat = wireEnum('ResponseFormat', 'Format of the reply.', {
  json: 'One JSON document.',
  jsonl: 'One JSON document a line.',
  csv: 'Comma-separated values with a header line.',
  xml: 'XML.',
});
export type ResponseFormat = keyof typeof ResponseFormat;

@PlainObjectType('How a reply that says 200 and means failure is told from a good one.')
export class ResponseValidation {
  @OptionalField('JMESPath to the error text or code.')
  errorField?: string;

  @OptionalField('JMESPath to the field that is true in a good reply.')
  okField?: string;

  @OptionalField('Errors after which the tap goes on without these records.', () => [String])
  skippableErrors?: string[];

  @OptionalField('Errors that are worth another try.', () => [String])
  transientErrors?: string[];
}

@PlainObjectType('A key made from several fields, for records that have none of their own.')
export class SyntheticPrimaryKey {
  @OptionalField('Fields that together name a record.', () => [String])
  fields?: string[];

  @OptionalField('Digest over them, such as sha1.')
  algorithm?: string;

  @OptionalField('Field that takes the key.')
  outputField?: string;

  @OptionalField('Text between the fields.')
  separator?: string;
}

@PlainObjectType('Where the records stand in a reply.')
export class ResponseExtraction {
  @OptionalField('Field that names a record.')
  primaryKey?: string;

  @OptionalField('Format of the reply; json by default.', () => ResponseFormat)
  responseFormat?: ResponseFormat;

  @OptionalField('JMESPath to the list of records; the whole body where left out.')
  responsePath?: string;

  @OptionalField('JMESPath used where the first finds nothing.')
  responsePathFallback?: string;

  @OptionalField('How failures inside a 200 are told.', () => ResponseValidation)
  responseValidation?: ResponseValidation;

  @OptionalField('How a missing key is made.', () => SyntheticPrimaryKey)
  syntheticPrimaryKey?: SyntheticPrimaryKey;
}
