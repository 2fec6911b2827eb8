import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useQuery } from 'urql';
import { Badge } from '../../ui/badge.js';
import { Card } from '../../ui/card.js';
import { countOf } from '../../ui/count-of.js';
import { DataTable } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Loading } from '../../ui/loading.js';
import { Markdown } from '../../ui/markdown.js';
import { Page } from '../../ui/page.js';
import { QueryView } from '../../ui/query-view.js';
import { type ConnectorDetails, connectorQuery } from './connector-query.js';

const connectorRoute = getRouteApi('/w/$workspace/connectors/$connector');

/** React Flow is large, so the page loads the graph after its other parts. */
const TapGraph = lazy(() => import('./tap-graph.js'));

export function ConnectorScreen() {
  const { workspace, connector: id } = connectorRoute.useParams();
  const [result, reload] = useQuery({ query: connectorQuery, variables: { id } });
  const connector = result.data?.connector;
  const vendor = connector?.vendor;
  return (
    <Page
      title={connector?.name ?? 'Connector'}
      lead={connector?.description}
      parent={
        vendor
          ? { label: vendor.name, to: `/w/${workspace}/catalog/${vendor.slug}` }
          : { label: 'Catalog', to: `/w/${workspace}/catalog` }
      }
    >
      <QueryView result={result} onRetry={reload}>
        {({ connector }) =>
          connector ? <Details connector={connector} /> : <EmptyState title="The catalog has no such connector" />
        }
      </QueryView>
    </Page>
  );
}

function Details({ connector }: { connector: ConnectorDetails }) {
  const hasEdges = (connector.traversal?.edges ?? []).length > 0;
  return (
    <div className="space-y-6">
      {hasEdges && (
        <Card title="How taps depend on each other">
          <Suspense fallback={<Loading />}>
            <TapGraph connector={connector} />
          </Suspense>
        </Card>
      )}
      <Card title={countOf(connector.taps.length, 'tap')}>
        <DataTable
          columns={[
            { title: 'Tap', cell: ({ name, description }) => <TapName name={name} description={description} /> },
            { title: 'Reads', cell: ({ sync }) => sync.mode },
            { title: 'Cursor', className: 'font-mono text-xs', cell: ({ sync }) => sync.cursorField ?? '–' },
            {
              title: 'Key',
              className: 'font-mono text-xs',
              cell: ({ responseExtraction }) => responseExtraction.primaryKey ?? '–',
            },
            {
              title: 'Default',
              cell: ({ enabledByDefault: isOn }) => (
                <Badge tone={isOn ? 'good' : 'neutral'}>{isOn ? 'on' : 'off'}</Badge>
              ),
            },
          ]}
          rows={connector.taps}
          keyOf={({ id }) => id}
          label="Taps"
        />
      </Card>
      {connector.setupDocumentation && (
        <Card title="Setup">
          <div className="px-5 py-4">
            <Markdown text={connector.setupDocumentation} />
          </div>
        </Card>
      )}
    </div>
  );
}

function TapName({ name, description }: { name: string; description?: string | null }) {
  return (
    <>
      {name}
      {description && (
        <div className="max-w-md font-normal text-muted">
          <Markdown text={description} />
        </div>
      )}
    </>
  );
}
