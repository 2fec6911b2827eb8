import { graphql } from '../../gql/gql.js';
import type { TableQuery } from '../../gql/graphql.js';

export const tableQuery = graphql(`
  query Table($id: Base62Id!) {
    catalogTable(id: $id) {
      id
      name
      rows
      bytes
      fileCount
      rejectedRows
      heldRecords
      mergedBy
      schema
      version
      files(limit: 50, orderBy: CREATED_AT_DESC) {
        id
        key
        url
        kind
        rows
        bytes
        createdAt
      }
      versions(limit: 50) {
        id
        number
        cause
        rows
        createdAt
        readableUntil
        addedColumns
      }
    }
  }
`);

export type Table = NonNullable<TableQuery['catalogTable']>;
