import { graphql } from '../../gql/gql.js';
import type { ArtifactColumnInput, CheckColumnsQuery, FileQuery } from '../../gql/graphql.js';

export const fileQuery = graphql(`
  query File($id: Base62Id!, $readsTaps: Boolean!, $readsTables: Boolean!) {
    artifact(artifactId: $id) {
      id
      fileName
      fileSize
      fileType
      path
      uploadStatus
      schemaInferenceStatus
      createdAt
      uploadedBy {
        id
        name
      }
      dataSchema
      inferenceError {
        code
        message
      }
      inference {
        model
        schema
        columnMetadata {
          fieldPath
          confidence
          doubts
          demoted
          sampleSeen
          sampleFailures
          firstSampleError
        }
        structure {
          rows
          evidence
        }
      }
      attributedTapId
      attributedTap @include(if: $readsTaps) {
        id
        name
        publication {
          id
          status
          bytesRead
          bytesTotal
          rows
          rejectedRows
          error
        }
        table @include(if: $readsTables) {
          id
          rows
          rejectedRows
        }
      }
    }
  }
`);

export const checkColumnsQuery = graphql(`
  query CheckColumns($id: Base62Id!, $columns: [ArtifactColumnInput!]) {
    checkArtifactColumns(artifactId: $id, columns: $columns) {
      rows
      rejectedRows
      isWholeFile
      columns {
        column {
          name
          type
          format
          language
          precision
          scale
          decimalSeparator
          groupSeparator
          unit
          negativeInParentheses
          booleans
          nullable
          nullTokens
        }
        failed
        examples {
          row
          line
          value
          reason
        }
      }
    }
  }
`);

export type File = NonNullable<FileQuery['artifact']>;
export type ColumnsCheck = NonNullable<CheckColumnsQuery['checkArtifactColumns']>;
export type ColumnCheck = ColumnsCheck['columns'][number];

/** A column of `dataSchema`. */
export type FileField = Omit<ColumnCheck['column'], '__typename'> & { readonly title?: string };

/** Returns an empty list for files that are not CSV. */
export function fieldsOf({ dataSchema }: Pick<File, 'dataSchema'>): readonly FileField[] {
  return ((dataSchema as { fields?: FileField[] } | null)?.fields ?? []) as readonly FileField[];
}

/** Removes nulls, the title, and the type name that the GraphQL client adds. */
export function toInput(column: FileField): ArtifactColumnInput {
  const given = Object.entries(column).filter(
    ([name, value]) => value !== null && name !== '__typename' && name !== 'title',
  );
  return Object.fromEntries(given) as unknown as ArtifactColumnInput;
}
