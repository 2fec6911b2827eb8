import { graphql } from '../../gql/gql.js';
import type { SyncQuery } from '../../gql/graphql.js';

export const syncQuery = graphql(`
  query Sync($id: Base62Id!, $readsTables: Boolean!) {
    sync(id: $id) {
      id
      status
      trigger
      createdAt
      startedAt
      finishedAt
      recordsWritten
      recordsRejected
      errorMessage
      responsible
      nextStep
      instance {
        id
        name
        connector {
          id
          name
        }
      }
      tapRuns(limit: 200, orderBy: CREATED_AT_ASC) {
        id
        status
        mode
        isResync
        slicesDone
        slicesTotal
        requests
        recordsRead
        recordsWritten
        recordsRejected
        rangeFrom
        notBefore
        heldUntil
        errorClass
        errorMessage
        responsible
        nextStep
        tap {
          id
          name
          table @include(if: $readsTables) {
            id
          }
        }
      }
    }
  }
`);

export type Sync = NonNullable<SyncQuery['sync']>;
