import { Int } from 'type-graphql';
import { OptionalField, PlainObjectType, RequiredField } from '../../kernel/entities/column-decorators.js';
import { JsonObject } from '../../kernel/entities/scalars.js';
import { wireEnum } from '../../kernel/entities/wire-enum.js';

export const ResponseFormat = wireEnum('ResponseFormat', 'Format of a response.', {
  json: 'One JSON document.',
  jsonl: 'One JSON document per line.',
  csv: 'Delimited text, by default with a header line.',
  xml: 'XML.',
});
export type ResponseFormat = keyof typeof ResponseFormat;

@PlainObjectType('Detection of failures in responses with a 2xx status.')
export class ResponseValidation {
  @OptionalField('JMESPath to the error text or code.')
  errorField?: string;

  @OptionalField('JMESPath to the field that is true in a successful response.')
  okField?: string;

  @OptionalField('If the value at `errorField` is in this list, the run skips the records of the request.', () => [
    String,
  ])
  skippableErrors?: string[];

  @OptionalField('If the value at `errorField` is in this list, the service repeats the request.', () => [String])
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

  @OptionalField('Separator between the field values. Defaults to `|`.')
  separator?: string;
}

@PlainObjectType('Moves the members of a nested object to the record.')
export class RecordFlattening {
  @RequiredField('Field with the nested object.')
  field: string;

  @OptionalField('Prefix of the new fields. Defaults to the name of the field and an underscore.')
  prefix?: string;
}

@PlainObjectType('One change to the fields of each record. Exactly one setting must be present.')
export class RecordTransform {
  @OptionalField('Fields to set: JMESPath expressions by field name.', () => JsonObject)
  set?: Record<string, unknown>;

  @OptionalField('Fields to remove. Dots separate the names of nested fields.', () => [String])
  remove?: string[];

  @OptionalField('Fields to rename: new names by old name.', () => JsonObject)
  rename?: Record<string, unknown>;

  @OptionalField('Nested object whose members become fields of the record.', () => RecordFlattening)
  flatten?: RecordFlattening;
}

@PlainObjectType('Dialect of the responses if `responseFormat` is `csv`.')
export class CsvDialect {
  @OptionalField('Names of the columns, for files without a header line.', () => [String])
  columns?: string[];

  @OptionalField('Prefix of comment lines, one character. Defaults to none.')
  comment?: string;

  @OptionalField(
    'Separator of values, one character. Defaults to the most frequent one of `,`, `;`, tab and `|` in the first line after skipped lines and comments.',
  )
  delimiter?: string;

  @OptionalField('Character encoding, if the response does not name it. Defaults to `utf-8`.')
  encoding?: string;

  @OptionalField('Character that escapes a quote: the quote (default) or a backslash.')
  escape?: string;

  @OptionalField('Quote character. Defaults to `"`. With an empty value, quotes have no special meaning.')
  quote?: string;

  @OptionalField('Number of lines before the header line. Defaults to 0.', () => Int)
  skipLines?: number;
}

@PlainObjectType(
  'Records that the source returns in parts on several pages. The service merges parts with the same key.',
)
export class RecordPartsConfig {
  @RequiredField('JMESPath expression on a response. It is true if all records so far are complete.')
  completePath: string;
}

@PlainObjectType('Extraction of the records from a response.')
export class ResponseExtraction {
  @OptionalField('Dialect, for `responseFormat` `csv`.', () => CsvDialect)
  csv?: CsvDialect;

  @OptionalField('Field that identifies a record.')
  primaryKey?: string;

  @OptionalField(
    'JMESPath expression on a record. The service discards a record if the result is null, false or empty.',
  )
  recordFilter?: string;

  @OptionalField(
    'Merging of records that the source returns in parts. Requires a primary key.',
    () => RecordPartsConfig,
  )
  recordParts?: RecordPartsConfig;

  @OptionalField('Format of the response. Defaults to `json`.', () => ResponseFormat)
  responseFormat?: ResponseFormat;

  @OptionalField('JMESPath to the list of records. Defaults to the whole body.')
  responsePath?: string;

  @OptionalField('JMESPath to use if `responsePath` finds no value.')
  responsePathFallback?: string;

  @OptionalField('Detection of failures in responses with a 2xx status.', () => ResponseValidation)
  responseValidation?: ResponseValidation;

  @OptionalField('Derivation of a key for records without a key.', () => SyntheticPrimaryKey)
  syntheticPrimaryKey?: SyntheticPrimaryKey;

  @OptionalField('Changes to the fields of each record, in the order of the list.', () => [RecordTransform])
  transform?: RecordTransform[];
}
