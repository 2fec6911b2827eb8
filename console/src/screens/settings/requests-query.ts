import { graphql } from '../../gql/gql.js';
import type { ConnectorRequestStatus, RequestsQuery } from '../../gql/graphql.js';

export const requestsQuery = graphql(`
  query Requests($filter: ConnectorRequestFilter, $limit: Int!) {
    connectorRequests(filter: $filter, limit: $limit) {
      total
      items {
        id
        connectorName
        notes
        status
        createdAt
        createdByUser {
          id
          name
        }
        moves(limit: 1, orderBy: MOVED_AT_DESC) {
          id
          note
        }
        resultConnector {
          id
          name
        }
      }
    }
  }
`);

export type Request = NonNullable<RequestsQuery['connectorRequests']>['items'][number];

export interface Move {
  readonly request: Request;
  readonly to: ConnectorRequestStatus;
}
