import { Link } from '@tanstack/react-router';
import { useIsAllowed } from '../../session/permissions.js';
import { Badge } from '../../ui/badge.js';
import { buttonClasses } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { TimeAgo } from '../../ui/time-ago.js';
import type { StatusView } from '../../ui/tone.js';
import { INBOUND_VERIFICATIONS } from './inbound-verifications.js';
import type { IngestTap } from './ingest-tap-query.js';

type Connection = NonNullable<IngestTap['instance']>;

export function SenderCard({ tap, workspace }: { tap: IngestTap; workspace: string }) {
  const connection = tap.instance;
  const { label, tone } = stateOf(tap);
  return (
    <Card title="Sender" actions={<Badge tone={tone}>{label}</Badge>}>
      <div className="space-y-3 p-5 text-sm">
        {connection?.inboundAuthStrategy ? (
          <Verification connection={connection} strategy={connection.inboundAuthStrategy} />
        ) : (
          <p className="text-muted">{explain(tap)}</p>
        )}
        {connection && needsStrategy(tap) && <ChooseStrategy connection={connection} workspace={workspace} />}
      </div>
    </Card>
  );
}

/** A tap with the sync mode `push` accepts no records until its connection has an inbound strategy. */
function needsStrategy({ instance, tap }: IngestTap): boolean {
  return tap?.sync.mode === 'push' && instance !== null && !instance?.inboundAuthStrategy;
}

function stateOf(tap: IngestTap): StatusView {
  const strategy = tap.instance?.inboundAuthStrategy;
  if (needsStrategy(tap)) return { label: 'Not set up', tone: 'bad' };
  if (!strategy || strategy.verificationType === 'none') return { label: 'By address only', tone: 'neutral' };
  if (tap.instance?.credentialStatus === 'valid') return { label: 'Verified', tone: 'good' };
  return { label: 'Waiting for a delivery', tone: 'warn' };
}

function explain(tap: IngestTap): string {
  if (needsStrategy(tap)) return 'The connection has no inbound strategy. The service rejects deliveries with 409.';
  return 'The service does not verify the senders of this tap. Anyone with the address can send records.';
}

type Strategy = NonNullable<Connection['inboundAuthStrategy']>;

function Verification({ connection, strategy }: { connection: Connection; strategy: Strategy }) {
  const verifiedAt = connection.credentials?.[0]?.validatedAt;
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
      <dt className="text-muted">Verifies</dt>
      <dd>{INBOUND_VERIFICATIONS[strategy.verificationType]}</dd>
      {strategy.signatureHeader && (
        <>
          <dt className="text-muted">Header</dt>
          <dd className="font-mono text-xs leading-5">{strategy.signatureHeader}</dd>
        </>
      )}
      {strategy.handshakeKind !== 'none' && (
        <>
          <dt className="text-muted">Handshake</dt>
          <dd>{strategy.handshakeKind.replaceAll('_', ' ')}</dd>
        </>
      )}
      {strategy.verificationType !== 'none' && (
        <>
          <dt className="text-muted">Last verified</dt>
          <dd>{verifiedAt ? <TimeAgo at={verifiedAt} /> : 'never: the first delivery tests the secret'}</dd>
        </>
      )}
    </dl>
  );
}

function ChooseStrategy({ connection, workspace }: { connection: Connection; workspace: string }) {
  const isAllowed = useIsAllowed('connectors:write');
  if (!isAllowed) return null;
  return (
    <Link
      to="/w/$workspace/connect/$grouping"
      params={{ workspace, grouping: connection.grouping.id }}
      search={{ vendor: connection.connector.vendor.slug, connection: connection.id }}
      className={buttonClasses('primary')}
    >
      Choose how senders are verified
    </Link>
  );
}
