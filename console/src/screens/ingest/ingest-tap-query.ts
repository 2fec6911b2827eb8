import { graphql } from '../../gql/gql.js';
import type { IngestTapQuery } from '../../gql/graphql.js';

export const ingestTapQuery = graphql(`
  query IngestTap($id: Base62Id!, $readsTables: Boolean!, $readsTokens: Boolean!, $readsCredentials: Boolean!) {
    tenantConnectorTap(id: $id) {
      id
      name
      enabled
      instance {
        id
        name
        enabled
        connectionStatusMessage
        grouping {
          id
        }
        connector {
          id
          name
          vendor {
            id
            name
            slug
          }
        }
        inboundAuthStrategy {
          id
          label
          verificationType
          handshakeKind
          signatureHeader
          replayWindowSeconds
        }
        credentialStatus
        credentials(limit: 1) @include(if: $readsCredentials) {
          id
          validatedAt
        }
      }
      tap {
        id
        sync {
          mode
        }
      }
      ingestTokens(limit: 50) @include(if: $readsTokens) {
        id
        prefix
        createdAt
        createdByUser {
          id
          name
        }
        expiresAt
        lastUsedAt
        revokedAt
        rotatedAt
      }
      deliveries(limit: 20) @include(if: $readsTokens) {
        id
        receivedAt
        records
      }
      pendingBatches(limit: 250) @include(if: $readsTokens) {
        id
        receivedAt
        records
      }
      pendingBatchesTotal @include(if: $readsTokens)
      table @include(if: $readsTables) {
        id
        rows
        rejectedRows
        heldRecords
        proposedColumns
        lastReceivedAt
      }
    }
  }
`);

export type IngestTap = NonNullable<IngestTapQuery['tenantConnectorTap']>;

export type IngestToken = NonNullable<IngestTap['ingestTokens']>[number];
