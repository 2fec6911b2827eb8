import type { CredentialStatus } from '../../gql/graphql.js';
import { Badge } from '../../ui/badge.js';
import { TimeAgo } from '../../ui/time-ago.js';
import { CREDENTIAL_STATUSES } from '../connect/credential-status.js';

interface CredentialHistoryProps {
  credentials: readonly { id: string; status: CredentialStatus; createdAt: string }[];
}

/** Newest first. Shows nothing if users have entered credentials only once. */
export function CredentialHistory({ credentials }: CredentialHistoryProps) {
  if (credentials.length < 2) return null;
  return (
    <details className="border-t border-line px-5 py-3 text-sm">
      <summary className="cursor-pointer text-muted">Entered {credentials.length} times</summary>
      <ul className="mt-3 space-y-2">
        {credentials.map(({ id, status, createdAt }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-2">
            <Badge tone={CREDENTIAL_STATUSES[status].tone}>{status.replaceAll('_', ' ')}</Badge>
            <span className="text-muted">
              <TimeAgo at={createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
