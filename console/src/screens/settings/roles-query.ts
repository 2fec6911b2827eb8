import { graphql } from '../../gql/gql.js';
import type { RolesQuery } from '../../gql/graphql.js';

export const rolesQuery = graphql(`
  query Roles {
    roles {
      id
      name
      description
      parentRoleId
      permissions
      usersTotal
      childRolesTotal
    }
    me {
      id
      roles {
        id
      }
    }
  }
`);

export type Role = NonNullable<RolesQuery['roles']>[number];
