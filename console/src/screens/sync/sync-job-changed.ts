import { graphql } from '../../gql/gql.js';

export const syncJobChanged = graphql(`
  subscription SyncJobChanged($instanceId: Base62Id) {
    syncJobChanged(instanceId: $instanceId) {
      id
      status
    }
  }
`);
