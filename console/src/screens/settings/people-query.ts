import { graphql } from '../../gql/gql.js';
import type { PeopleQuery, UserStatus } from '../../gql/graphql.js';
import type { StatusView } from '../../ui/tone.js';

export const peopleQuery = graphql(`
  query People($filter: UserFilter, $limit: Int!, $offset: Int!, $invites: Boolean!) {
    users(filter: $filter, limit: $limit, offset: $offset) {
      total
      items {
        id
        name
        email
        status
        roles {
          id
          name
        }
        invitations(limit: 1) @include(if: $invites) {
          id
          status
          expiresAt
        }
      }
    }
    roles {
      id
      name
      description
      parentRoleId
      permissions
    }
    me {
      id
      roles {
        id
      }
    }
  }
`);

export type Person = NonNullable<PeopleQuery['users']>['items'][number];

export type GrantableRole = NonNullable<PeopleQuery['roles']>[number];

export const USER_STATUSES: Readonly<Record<UserStatus, StatusView>> = {
  ACTIVE: { label: 'Active', tone: 'good' },
  PENDING: { label: 'Invited', tone: 'info' },
  SUSPENDED: { label: 'Suspended', tone: 'warn' },
  DEACTIVATED: { label: 'Deactivated', tone: 'neutral' },
};
