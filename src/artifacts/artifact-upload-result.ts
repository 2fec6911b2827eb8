import { Extensions, Field } from 'type-graphql';
import type { SampleRow } from '../csv/model/data-schema.js';
import { PlainObjectType } from '../kernel/entities/column-decorators.js';
import { JsonObject } from '../kernel/entities/scalars.js';
import type { Lean } from '../kernel/reading/reader.js';
import { Artifact } from './artifact.js';
import { SchemaInference, SchemaInferenceError } from './schema-inference.js';

@PlainObjectType('Result of an upload or a schema inference.')
export class ArtifactUploadResult {
  @Field(() => Artifact, { description: 'The file after the upload or the inference.' })
  artifact: Lean<Artifact>;

  @Field(() => [JsonObject], {
    description:
      'Up to 20 rows from the start of a CSV file. Each row is an object with a string per column, in column order. `dataSchema` contains the order too, for clients whose JSON objects have no order. A value that is missing from a short row is null. The list is empty for other file types.',
  })
  sampleRows: readonly SampleRow[];

  @Extensions({ showsNull: true })
  @Field(() => SchemaInference, {
    nullable: true,
    description: 'Inferred schema. Null after an upload or a failed inference.',
  })
  inference?: SchemaInference;

  @Extensions({ showsNull: true })
  @Field(() => SchemaInferenceError, {
    nullable: true,
    description: 'Reason why the inference failed. Null after an upload or a successful inference.',
  })
  inferenceError?: SchemaInferenceError;
}
