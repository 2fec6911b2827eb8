import { Int } from 'type-graphql';
import type { ConfidenceLevel, DataSchema } from '../csv/model/data-schema.js';
import type { TableStructure } from '../csv/model/table-structure.js';
import { OptionalField, PlainObjectType, RequiredField } from '../kernel/entities/column-decorators.js';
import { JsonObject } from '../kernel/entities/scalars.js';
import { wireEnum } from '../kernel/entities/wire-enum.js';

const ColumnConfidence = wireEnum('ColumnConfidence', 'Confidence in the type of a column.', {
  low: 'Fewer than 30 values, an ambiguous format, a value that does not match the type, or a column name that contradicts the type.',
  medium:
    "At least 30 values, and all values match the type. In these cases, the confidence is `medium` even with 300 or more values: numbers with a unit, with parentheses or with a decimal comma; dates with two-digit years; the null token `''`; more null tokens than other values.",
  high: 'At least 300 sampled values, and all of them match one unambiguous format. With 95 % certainty, at most 1 % of all values in the file do not match.',
} satisfies Record<ConfidenceLevel, string>);

@PlainObjectType('Evidence for the type of a column.')
export class ArtifactColumnMetadata {
  @RequiredField('Name of the column.')
  fieldPath: string;

  @RequiredField('Confidence in the type.', () => ColumnConfidence)
  confidence: ConfidenceLevel;

  @OptionalField(
    'Reasons for a confidence below `high`, and other types or formats that fit the values, as English sentences. Empty if the confidence is `high`. Null if `model` of the inference is `rules/1`, an earlier version of the rules.',
    () => [String],
  )
  doubts?: readonly string[];

  @RequiredField(
    'Whether the column became a String because some sampled values did not match the type of most values.',
  )
  demoted: boolean;

  @RequiredField('Number of sampled values that are not null.', () => Int)
  sampleSeen: number;

  @RequiredField(
    'Number of sampled values that did not match the type of most values. 0 unless `demoted` is true.',
    () => Int,
  )
  sampleFailures: number;

  @OptionalField(
    'The first value that did not match, with its row and the reason. The value is truncated to 64 characters. Null if all values matched.',
  )
  firstSampleError?: string;
}

@PlainObjectType(
  'Counts of rows, skipped lines, remarks and dropped columns in the part of a CSV file that the inference read.',
)
export class ArtifactTableStructure implements Omit<TableStructure, 'otherTableRows'> {
  @RequiredField(
    'Number of rows, including rows with fewer values than columns. Excludes `longRows` and `repeatedHeaders`. The inference reads at most 10,000 rows.',
    () => Int,
  )
  rows: number;

  @RequiredField(
    'Number of rows with fewer values than columns. The service treats the missing values as empty.',
    () => Int,
  )
  paddedRows: number;

  @RequiredField(
    'Number of rows that have more values than the table has columns. A publication rejects these rows.',
    () => Int,
  )
  longRows: number;

  @RequiredField('Number of rows that repeat the header. A publication rejects these rows.', () => Int)
  repeatedHeaders: number;

  @RequiredField(
    'Number of records below the table that are not rows: remarks (such as a note about the source) and empty records. At most 30, or 0 if the inference did not read the file to its end. A publication rejects these records.',
    () => Int,
  )
  remarks: number;

  @OptionalField(
    'Number of rows of a second table below the table, including the header of the second table. A publication rejects these rows. Null if `model` of the inference is `rules/2`, an earlier version of the rules.',
    () => Int,
  )
  otherTableRows?: number;

  @RequiredField('Number of lines above the header or, without a header, above the first row.', () => Int)
  skippedLines: number;

  @RequiredField(
    'Number of columns at the end that have neither a title nor a value. The service drops these columns.',
    () => Int,
  )
  droppedColumns: number;

  @RequiredField(
    'English sentences. If the service padded or left out rows, each reason has its own sentence, with up to 5 line numbers. Further sentences describe skipped lines above the table and dropped columns. If the encoding is a guess, a further sentence says so. A sentence quotes at most 64 characters of the file.',
    () => [String],
  )
  evidence: readonly string[];
}

@PlainObjectType('Result of a schema inference.')
export class SchemaInference {
  @RequiredField('Evidence for each column, in column order.', () => [ArtifactColumnMetadata])
  columnMetadata: ArtifactColumnMetadata[];

  @RequiredField(
    'Source of the types: `rules/3` (version 3 of the inference rules), or the name of a language model. The rules verify the types that a model proposes.',
  )
  model: string;

  @RequiredField('Dialect and typed columns, as in `dataSchema`.', () => JsonObject)
  schema: DataSchema;

  @OptionalField(
    'Structure of the file: for example, short rows, remarks and repeated headers. Null if `model` is `rules/1`, an earlier version of the rules.',
    () => ArtifactTableStructure,
  )
  structure?: ArtifactTableStructure;

  @RequiredField('Prompt tokens used by the language model, or 0 without a model.', () => Int)
  tokenInputCount: number;

  @RequiredField('Completion tokens used by the language model, or 0 without a model.', () => Int)
  tokenOutputCount: number;
}

@PlainObjectType('Reason why an inference failed.')
export class SchemaInferenceError {
  @RequiredField('Error code: `WA-AF-` and three digits.')
  code: string;

  @RequiredField('Description of the error, in English.')
  message: string;
}
