import { Int } from 'type-graphql';
import type { ConfidenceLevel, DataSchema } from '../csv/model/data-schema.js';
import { OptionalField, PlainObjectType, RequiredField } from '../kernel/entities/column-decorators.js';
import { JsonObject } from '../kernel/entities/scalars.js';
import { wireEnum } from '../kernel/entities/wire-enum.js';

const ColumnConfidence = wireEnum('ColumnConfidence', 'How sure the type of a column is.', {
  low: 'Fewer than 30 values, an ambiguous format, a value that did not fit, or a name that speaks against it.',
  medium: 'At least 30 values without a failure, or more where a unit or a comma makes the format less certain.',
  high: 'At least 300 values without a failure, in one unambiguous format: at most 1 % of all values differ, with 95 % certainty.',
} satisfies Record<ConfidenceLevel, string>);

@PlainObjectType('What speaks for the type of a column.')
export class ArtifactColumnMetadata {
  @RequiredField('Name of the column.')
  fieldPath: string;

  @RequiredField('How sure the type is.', () => ColumnConfidence)
  confidence: ConfidenceLevel;

  @RequiredField('Whether it ended as String because of values that the proposed type refuses.')
  demoted: boolean;

  @RequiredField('Values that the proposed type was tried on.', () => Int)
  sampleSeen: number;

  @RequiredField('Those of them that it refused.', () => Int)
  sampleFailures: number;

  @OptionalField('The first of those, with its row and the reason; the value is cut to 64 characters.')
  firstSampleError?: string;
}

@PlainObjectType('What an inference found.')
export class SchemaInference {
  @RequiredField('Evidence for each column, in their order.', () => [ArtifactColumnMetadata])
  columnMetadata: ArtifactColumnMetadata[];

  @RequiredField(
    'Who proposed the types: `rules/1`, or the name of a language model. Each proposal is verified by the rules.',
  )
  model: string;

  @RequiredField('Dialect and typed columns, as in `dataSchema`.', () => JsonObject)
  schema: DataSchema;

  @RequiredField('Tokens that a language model was given; 0 without one.', () => Int)
  tokenInputCount: number;

  @RequiredField('Tokens that a language model answered with; 0 without one.', () => Int)
  tokenOutputCount: number;
}

@PlainObjectType('Why an inference failed.')
export class SchemaInferenceError {
  @RequiredField('`WA-AF-` and three digits.')
  code: string;

  @RequiredField('What is wrong, for people.')
  message: string;
}
