import { graphql } from '../../gql/gql.js';

export const connectionChanged = graphql(`
  subscription ConnectionChanged($id: Base62Id) {
    tenantConnectorInstanceChanged(id: $id) {
      id
      connectionStatus
    }
  }
`);
