import { Extensions, Field } from 'type-graphql';
import type { SampleRow } from '../csv/model/data-schema.js';
import { PlainObjectType } from '../kernel/entities/column-decorators.js';
import { JsonObject } from '../kernel/entities/scalars.js';
import type { Lean } from '../kernel/reading/reader.js';
import { Artifact } from './artifact.js';
import { SchemaInference, SchemaInferenceError } from './schema-inference.js';

@PlainObjectType('What came of an upload or of an inference.')
export class ArtifactUploadResult {
  @Field(() => Artifact, { description: 'The file.' })
  artifact: Lean<Artifact>;

  @Field(() => [JsonObject], {
    description: 'The first 20 rows of a CSV file at the most: texts by column, null where a row is short.',
  })
  sampleRows: readonly SampleRow[];

  @Extensions({ showsNull: true })
  @Field(() => SchemaInference, {
    nullable: true,
    description: 'Null after an upload, and where the inference failed.',
  })
  inference?: SchemaInference;

  @Extensions({ showsNull: true })
  @Field(() => SchemaInferenceError, { nullable: true, description: 'Null but where an inference failed.' })
  inferenceError?: SchemaInferenceError;
}
