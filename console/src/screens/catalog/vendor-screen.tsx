import { getRouteApi, Link } from '@tanstack/react-router';
import { useQuery } from 'urql';
import { graphql } from '../../gql/gql.js';
import type { VendorQuery } from '../../gql/graphql.js';
import { useIsAllowed } from '../../session/permissions.js';
import { Badge } from '../../ui/badge.js';
import { buttonClasses } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { countOf } from '../../ui/count-of.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Page } from '../../ui/page.js';
import { QueryView } from '../../ui/query-view.js';
import { VendorMark } from '../../ui/vendor-mark.js';
import { StatusBadge } from '../connections/status-badge.js';
import { RELEASE_STAGES } from './release-stage.js';

const vendorRoute = getRouteApi('/w/$workspace/catalog/$vendor');

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

/** The first breadcrumb of each grouping is the vendor, so a top-level grouping has two breadcrumbs. */
function Groupings({ vendor, workspace }: { vendor: Vendor; workspace: string }) {
  return (
    <Card title="What you can connect">
      <ul className="divide-y divide-line">
        {vendor.allGroupings.map((grouping) => (
          <li
            key={grouping.id}
            className="flex flex-wrap items-center justify-between gap-3 py-4 pr-5"
            style={{ paddingLeft: `${1.25 + 1.5 * (grouping.breadcrumbs.length - 2)}rem` }}
          >
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-2 font-medium">
                {grouping.name}
                {grouping.isLeaf && <StageBadge grouping={grouping} />}
              </p>
              {grouping.description && <p className="mt-0.5 text-sm text-muted">{grouping.description}</p>}
            </div>
            {grouping.connector && (
              <ConnectorLinks
                grouping={grouping}
                connector={grouping.connector}
                vendor={vendor.slug}
                workspace={workspace}
              />
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

type Grouping = Vendor['allGroupings'][number];

function StageBadge({ grouping: { releaseStage } }: { grouping: Grouping }) {
  const { label, tone } = RELEASE_STAGES[releaseStage];
  return <Badge tone={tone}>{label}</Badge>;
}

interface ConnectorLinksProps {
  grouping: Grouping;
  connector: NonNullable<Grouping['connector']>;
  vendor: string;
  workspace: string;
}

function ConnectorLinks({ grouping, connector, vendor, workspace }: ConnectorLinksProps) {
  const canConnect = useIsAllowed('connectors:write');
  return (
    <div className="flex gap-2">
      <Link
        to="/w/$workspace/connectors/$connector"
        params={{ workspace, connector: connector.id }}
        className={buttonClasses('secondary')}
      >
        {countOf(connector.tapsTotal, 'tap')}
      </Link>
      {canConnect && (
        <Link
          to="/w/$workspace/connect/$grouping"
          params={{ workspace, grouping: grouping.id }}
          search={{ vendor }}
          className={buttonClasses('primary')}
          aria-label={`Connect ${grouping.name}`}
        >
          Connect
        </Link>
      )}
    </div>
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
