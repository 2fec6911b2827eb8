import { Link } from '@tanstack/react-router';
import { useQuery } from 'urql';
import { useIsAllowed } from '../../app/permissions.js';
import { vendorRoute } from '../../app/router.js';
import { graphql } from '../../gql/gql.js';
import type { VendorQuery } from '../../gql/graphql.js';
import { Badge } from '../../ui/badge.js';
import { buttonClasses } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Page } from '../../ui/page.js';
import { QueryView } from '../../ui/query-view.js';
import { VendorMark } from '../../ui/vendor-mark.js';
import { StatusBadge } from '../connections/status-badge.js';
import { RELEASE_STAGE_TONES } from './release-stage.js';

const vendorQuery = graphql(`
  query Vendor($slug: String!, $readsConnections: Boolean!) {
    platformVendor(slug: $slug) {
      id
      slug
      name
      logo
      description
      allGroupings(limit: 250, orderBy: GROUPING_PATH_ASC) {
        id
        name
        description
        breadcrumbs
        isLeaf
        releaseStage
        supportedAuthStrategiesTotal
        connector {
          id
          name
          slug
          tapsTotal
        }
      }
      instances(limit: 20) @include(if: $readsConnections) {
        id
        name
        connectionStatus
        connector {
          id
          name
        }
      }
    }
  }
`);

type Vendor = NonNullable<VendorQuery['platformVendor']>;

export function VendorScreen() {
  const { workspace, vendor: slug } = vendorRoute.useParams();
  const readsConnections = useIsAllowed('connectors:read');
  const [result, reload] = useQuery({ query: vendorQuery, variables: { slug, readsConnections } });
  const parent = { label: 'Catalog', to: `/w/${workspace}/catalog` };
  const vendor = result.data?.platformVendor;
  const name = vendor?.name ?? slug;
  return (
    <Page
      title={name}
      parent={parent}
      lead={vendor?.description}
      heading={
        <span className="flex items-center gap-3">
          <VendorMark vendor={vendor ?? { name }} size="large" />
          {name}
        </span>
      }
    >
      <QueryView result={result} onRetry={reload}>
        {({ platformVendor }) =>
          platformVendor ? (
            <div className="space-y-6">
              <Groupings vendor={platformVendor} workspace={workspace} />
              {platformVendor.instances && <Connections vendor={platformVendor} workspace={workspace} />}
            </div>
          ) : (
            <EmptyState title="The catalog has no such vendor" />
          )
        }
      </QueryView>
    </Page>
  );
}

/** The groupings as a tree, flattened in the order of their paths. The first breadcrumb is the vendor. */
function Groupings({ vendor, workspace }: { vendor: Vendor; workspace: string }) {
  const canConnect = useIsAllowed('connectors:write');
  return (
    <Card title="What you can connect">
      <ul className="divide-y divide-line">
        {vendor.allGroupings.map((grouping) => (
          <li key={grouping.id} className="flex flex-wrap items-center justify-between gap-3 px-5 py-4">
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-2 font-medium">
                {grouping.breadcrumbs.slice(1, -1).map((crumb) => (
                  <span key={crumb} className="font-normal text-muted">
                    {crumb} ›
                  </span>
                ))}
                {grouping.name}
                <Badge tone={RELEASE_STAGE_TONES[grouping.releaseStage]}>
                  {grouping.releaseStage.replace('_', ' ')}
                </Badge>
              </p>
              {grouping.description && <p className="mt-0.5 text-sm text-muted">{grouping.description}</p>}
            </div>
            {grouping.connector && (
              <div className="flex gap-2">
                <Link
                  to="/w/$workspace/connectors/$connector"
                  params={{ workspace, connector: grouping.connector.id }}
                  className={buttonClasses('secondary')}
                >
                  {grouping.connector.tapsTotal} taps
                </Link>
                {canConnect && grouping.supportedAuthStrategiesTotal > 0 && (
                  <Link
                    to="/w/$workspace/connect/$grouping"
                    params={{ workspace, grouping: grouping.id }}
                    search={{ vendor: vendor.slug }}
                    className={buttonClasses('primary')}
                    aria-label={`Connect ${grouping.name}`}
                  >
                    Connect
                  </Link>
                )}
              </div>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Connections({ vendor, workspace }: { vendor: Vendor; workspace: string }) {
  const connections = vendor.instances ?? [];
  if (connections.length === 0) return null;
  return (
    <Card title="Connections of this workspace">
      <ul className="divide-y divide-line">
        {connections.map(({ id, name, connector, connectionStatus }) => (
          <li key={id}>
            <Link
              to="/w/$workspace/connections/$connection"
              params={{ workspace, connection: id }}
              className="flex items-center justify-between gap-3 px-5 py-3 text-sm hover:bg-sunken"
            >
              {name ?? connector.name}
              <StatusBadge status={connectionStatus} />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
