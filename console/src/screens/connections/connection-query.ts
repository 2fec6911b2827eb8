import { graphql } from '../../gql/gql.js';
import type { ConnectionQuery } from '../../gql/graphql.js';

export const connectionQuery = graphql(`
  query Connection($id: Base62Id!, $from: DateTime!, $readsSyncs: Boolean!, $readsTables: Boolean!, $readsCredentials: Boolean!) {
    tenantConnectorInstance(id: $id) {
      id
      name
      enabled
      schedulePaused
      connectionStatus
      connectionStatusMessage
      lastSyncAt
      grouping {
        id
        name
      }
      connector {
        id
        name
        vendor {
          id
          name
          slug
          logo
        }
      }
      syncSchedule @include(if: $readsSyncs) {
        id
        kind
        cron
        intervalMinutes
        timezone
        quietFrom
        quietUntil
        nextRunAt
      }
      syncJobs(limit: 250, filter: { createdAt: { from: $from } }, orderBy: CREATED_AT_DESC) @include(if: $readsSyncs) {
        id
        status
        createdAt
        finishedAt
        recordsWritten
        recordsRejected
        errorMessage
        responsible
        nextStep
      }
      credentials(limit: 20, orderBy: CREATED_AT_DESC) @include(if: $readsCredentials) {
        id
        status
        createdAt
      }
      taps(limit: 200, orderBy: NAME_ASC) {
        id
        name
        enabled
        mode
        table @include(if: $readsTables) {
          id
          rows
          rejectedRows
          heldRecords
          lastReceivedAt
        }
        runs(limit: 1, orderBy: CREATED_AT_DESC) @include(if: $readsSyncs) {
          id
          status
          recordsWritten
          errorMessage
          finishedAt
        }
      }
    }
  }
`);

export type Connection = NonNullable<ConnectionQuery['tenantConnectorInstance']>;

export type Schedule = NonNullable<Connection['syncSchedule']>;
