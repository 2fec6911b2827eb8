import { OptionalField, PlainObjectType } from '../../kernel/entities/column-decorators.js';
import { wireEnum } from '../../kernel/entities/wire-enum.js';

export const ResponseFormat = wireEnum('ResponseFormat', 'Format of a response.', {
  json: 'One JSON document.',
  jsonl: 'One JSON document per line.',
  csv: 'Comma-separated values with a header line.',
  xml: 'XML.',
});
export type ResponseFormat = keyof typeof ResponseFormat;

@PlainObjectType('Detection of failures in responses with status 200.')
export class ResponseValidation {
  @OptionalField('JMESPath to the error text or code.')
  errorField?: string;

  @OptionalField('JMESPath to the field that is true in a successful response.')
  okField?: string;

  @OptionalField('Errors after which the run skips these records.', () => [String])
  skippableErrors?: string[];

  @OptionalField('Errors after which the request is retried.', () => [String])
  transientErrors?: string[];
}

export const KEY_ALGORITHMS: readonly string[] = ['sha1', 'sha256', 'md5'];

@PlainObjectType('A primary key derived from several fields, for records without a key.')
export class SyntheticPrimaryKey {
  @OptionalField('Fields that together identify a record.', () => [String])
  fields?: string[];

  @OptionalField('Hash algorithm: `sha1` (default), `sha256` or `md5`.')
  algorithm?: string;

  @OptionalField('Field that receives the key.')
  outputField?: string;

  @OptionalField('Separator between the field values.')
  separator?: string;
}

@PlainObjectType('Extraction of the records from a response.')
export class ResponseExtraction {
  @OptionalField('Field that identifies a record.')
  primaryKey?: string;

  @OptionalField('Format of the response. Defaults to `json`.', () => ResponseFormat)
  responseFormat?: ResponseFormat;

  @OptionalField('JMESPath to the list of records. Defaults to the whole body.')
  responsePath?: string;

  @OptionalField('JMESPath to use if `responsePath` finds no value.')
  responsePathFallback?: string;

  @OptionalField('Detection of failures in responses with status 200.', () => ResponseValidation)
  responseValidation?: ResponseValidation;

  @OptionalField('Derivation of a key for records without one.', () => SyntheticPrimaryKey)
  syntheticPrimaryKey?: SyntheticPrimaryKey;
}
