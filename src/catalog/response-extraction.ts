import { Optional, Shape } from '../kernel/columns.js';
import { wireEnum } from '../kernel/wire-enum.js';

export const ResponseFormat = wireEnum('ResponseFormat', 'Format of the reply.', {
  json: 'One JSON document.',
  jsonl: 'One JSON document a line.',
  csv: 'Comma-separated values with a header line.',
  xml: 'XML.',
});
export type ResponseFormat = keyof typeof ResponseFormat;

@Shape('How a reply that says 200 and means failure is told from a good one.')
export class ResponseValidation {
  @Optional('JMESPath to the error text or code.')
  errorField?: string;

  @Optional('JMESPath to the field that is true in a good reply.')
  okField?: string;

  @Optional('Errors after which the tap goes on without these records.', () => [String])
  skippableErrors?: string[];

  @Optional('Errors that are worth another try.', () => [String])
  transientErrors?: string[];
}

@Shape('A key made from several fields, for records that have none of their own.')
export class SyntheticPrimaryKey {
  @Optional('Fields that together name a record.', () => [String])
  fields?: string[];

  @Optional('Digest over them, such as sha1.')
  algorithm?: string;

  @Optional('Field that takes the key.')
  outputField?: string;

  @Optional('Text between the fields.')
  separator?: string;
}

@Shape('Where the records stand in a reply.')
export class ResponseExtraction {
  @Optional('Field that names a record.')
  primaryKey?: string;

  @Optional('Format of the reply; json by default.', () => ResponseFormat)
  responseFormat?: ResponseFormat;

  @Optional('JMESPath to the list of records; the whole body where left out.')
  responsePath?: string;

  @Optional('JMESPath used where the first finds nothing.')
  responsePathFallback?: string;

  @Optional('How failures inside a 200 are told.', () => ResponseValidation)
  responseValidation?: ResponseValidation;

  @Optional('How a missing key is made.', () => SyntheticPrimaryKey)
  syntheticPrimaryKey?: SyntheticPrimaryKey;
}
