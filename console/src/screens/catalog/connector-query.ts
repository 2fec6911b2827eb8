import { graphql } from '../../gql/gql.js';
import type { ConnectorQuery } from '../../gql/graphql.js';

export const connectorQuery = graphql(`
  query Connector($id: String!) {
    connector(id: $id) {
      id
      name
      description
      apiVersion
      releaseStatus
      setupDocumentation
      vendor {
        id
        name
        slug
      }
      traversal {
        edges {
          from
          to
        }
      }
      taps(limit: 200, orderBy: NAME_ASC) {
        id
        name
        description
        dataKind
        enabledByDefault
        responseExtraction {
          primaryKey
        }
        sync {
          mode
          cursorField
        }
      }
    }
  }
`);

export type ConnectorDetails = NonNullable<ConnectorQuery['connector']>;
