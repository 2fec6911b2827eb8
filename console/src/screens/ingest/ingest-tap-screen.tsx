import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useQuery } from 'urql';
import { usePolling } from '../../api/use-polling.js';
import { useIsAllowed } from '../../session/permissions.js';
import { buttonClasses } from '../../ui/button.js';
import { countOf } from '../../ui/count-of.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Notice } from '../../ui/notice.js';
import { Page } from '../../ui/page.js';
import { QueryView } from '../../ui/query-view.js';
import { TimeAgo } from '../../ui/time-ago.js';
import { Deliveries } from './deliveries.js';
import { HeldRecords } from './held-records.js';
import { type IngestTap, ingestTapQuery } from './ingest-tap-query.js';
import { MintedAddress } from './minted-address.js';
import { Rejects } from './rejects.js';
import { SenderCard } from './sender-card.js';
import { TokenList } from './token-list.js';

const ingestTapRoute = getRouteApi('/w/$workspace/ingest/$tap');

/** The page polls, because no subscription reports deliveries. */
const POLL_MS = 3_000;

export function IngestTapScreen() {
  const { workspace, tap: id } = ingestTapRoute.useParams();
  const [result, reload] = useQuery({
    query: ingestTapQuery,
    variables: {
      ...{ id, readsTables: useIsAllowed('catalog:read'), readsTokens: useIsAllowed('ingest_tokens:read') },
      readsCredentials: useIsAllowed('credentials:read'),
    },
  });
  const refresh = (): void => reload({ requestPolicy: 'network-only' });
  usePolling(refresh, POLL_MS);
  const tap = result.data?.tenantConnectorTap;
  return (
    <Page
      title={tap?.name ?? 'Tap'}
      parent={{ label: 'Ingest', to: `/w/${workspace}/ingest` }}
      lead={tap && <Lead tap={tap} />}
      actions={tap?.table && <TableLink tableId={tap.table.id} workspace={workspace} />}
    >
      <QueryView result={result} onRetry={refresh}>
        {({ tenantConnectorTap: tap }) =>
          tap ? (
            <TapParts tap={tap} workspace={workspace} onChange={refresh} />
          ) : (
            <EmptyState title="This tap does not exist" />
          )
        }
      </QueryView>
    </Page>
  );
}

function Lead({ tap: { instance, table } }: { tap: IngestTap }) {
  return (
    <>
      {instance ? (instance.name ?? instance.connector.name) : 'Published file'}
      {table && `. ${countOf(table.rows, 'row')}`}
      {table?.lastReceivedAt && (
        <>
          , last received <TimeAgo at={table.lastReceivedAt} />
        </>
      )}
      .
    </>
  );
}

function TableLink({ tableId, workspace }: { tableId: string; workspace: string }) {
  return (
    <Link to="/w/$workspace/tables/$table" params={{ workspace, table: tableId }} className={buttonClasses()}>
      Open the table
    </Link>
  );
}

interface TapPartsProps {
  tap: IngestTap;
  workspace: string;
  onChange: () => void;
}

function TapParts({ tap, workspace, onChange }: TapPartsProps) {
  const { reject = '' } = ingestTapRoute.useSearch();
  const navigate = ingestTapRoute.useNavigate();
  const canReadTokens = useIsAllowed('ingest_tokens:read');
  const [endpointUrl, setEndpointUrl] = useState<string>();
  const isDisabled = !tap.enabled || tap.instance?.enabled === false;
  const { table } = tap;
  const show = (address: string): void => {
    setEndpointUrl(address);
    onChange();
  };
  return (
    <div className="space-y-6">
      {isDisabled && (
        <Notice tone="warn" title={`The ${tap.enabled ? 'connection' : 'tap'} is disabled`}>
          The service rejects deliveries with 409 until you enable the {tap.enabled ? 'connection' : 'tap'} again.
        </Notice>
      )}
      {endpointUrl && (
        <MintedAddress
          endpointUrl={endpointUrl}
          isVerified={(tap.instance?.inboundAuthStrategy?.verificationType ?? 'none') !== 'none'}
          onClose={() => setEndpointUrl(undefined)}
        />
      )}
      {table && table.heldRecords > 0 && <HeldRecords tap={tap} onChange={onChange} />}
      {canReadTokens && <TokenList tap={tap} onMinted={show} onChange={onChange} />}
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        {canReadTokens && <Deliveries tap={tap} />}
        <SenderCard tap={tap} workspace={workspace} />
      </div>
      {table && table.rejectedRows > 0 && (
        <Rejects
          key={table.rejectedRows}
          tableId={table.id}
          total={table.rejectedRows}
          search={reject}
          onSearch={(text) => navigate({ search: text ? { reject: text } : {}, replace: true })}
        />
      )}
    </div>
  );
}
