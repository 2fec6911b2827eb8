import { graphql } from '../../gql/gql.js';

export const inferMutation = graphql(`
  mutation InferTypes($id: Base62Id!) {
    runArtifactSchemaInference(artifactId: $id) {
      artifact {
        id
      }
      inferenceError {
        code
        message
      }
    }
  }
`);
