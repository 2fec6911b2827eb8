import { Link } from '@tanstack/react-router';
import type { TenantConnectorStatus } from '../../gql/graphql.js';
import { useIsAllowed } from '../../session/permissions.js';
import { buttonClasses } from '../../ui/button.js';
import { CONNECTION_STATUSES } from './connection-status.js';

interface ConnectionActionProps {
  connection: {
    id: string;
    connectionStatus: TenantConnectorStatus;
    grouping: { id: string };
    connector: { vendor: { slug: string } };
  };
  workspace: string;
  /** If set, the component shows only the link for this action. */
  only?: 'repair';
}

/** Links to the repair if it is necessary and the user has the permission. Otherwise, links to the connection. */
export function ConnectionAction({ connection, workspace, only }: ConnectionActionProps) {
  const canConfigure = useIsAllowed('connectors:write');
  const { action } = CONNECTION_STATUSES[connection.connectionStatus];
  if (action === 'repair' && canConfigure) {
    return (
      <Link
        to="/w/$workspace/connect/$grouping"
        params={{ workspace, grouping: connection.grouping.id }}
        search={{ vendor: connection.connector.vendor.slug, connection: connection.id }}
        className={buttonClasses('primary')}
      >
        Repair
      </Link>
    );
  }
  if (only) return null;
  return (
    <Link
      to="/w/$workspace/connections/$connection"
      params={{ workspace, connection: connection.id }}
      className={buttonClasses('secondary')}
    >
      View
    </Link>
  );
}
