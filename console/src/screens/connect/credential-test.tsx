import { useMutation, useQuery } from 'urql';
import { useLiveRefresh } from '../../api/use-live-refresh.js';
import { graphql } from '../../gql/gql.js';
import { useIsAllowed } from '../../session/permissions.js';
import { Button } from '../../ui/button.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { Notice } from '../../ui/notice.js';
import { QueryView } from '../../ui/query-view.js';
import { TimeAgo } from '../../ui/time-ago.js';
import { connectionChanged } from '../connections/connection-changed.js';
import { CREDENTIAL_STATUSES } from './credential-status.js';

const testQuery = graphql(`
  query CredentialTest($instanceId: Base62Id!) {
    tenantConnectorCredentialDetail(instanceId: $instanceId) {
      credentialMetadataId
      status
      message
      remediation
      grantedScopes
      missingScopes
      validatedAt
    }
  }
`);

const validateMutation = graphql(`
  mutation Validate($id: Base62Id!) {
    validateCredentials(credentialMetadataId: $id) {
      status
      message
    }
  }
`);

export function CredentialTest({ instanceId }: { instanceId: string }) {
  const canTest = useIsAllowed('credentials:validate');
  const [result, reload] = useQuery({ query: testQuery, variables: { instanceId } });
  const refresh = (): void => reload({ requestPolicy: 'network-only' });
  const status = result.data?.tenantConnectorCredentialDetail?.status;
  useLiveRefresh(connectionChanged, { id: instanceId }, refresh, status === 'pending' || status === 'validating');
  const [validation, validate] = useMutation(validateMutation);
  return (
    <QueryView result={result} onRetry={refresh}>
      {({ tenantConnectorCredentialDetail: detail }) => {
        if (!detail) return <Notice tone="neutral">No credentials were entered yet.</Notice>;
        const { label, tone } = CREDENTIAL_STATUSES[detail.status];
        const test = (): Promise<unknown> => validate({ id: detail.credentialMetadataId }).then(refresh);
        return (
          <div className="space-y-3">
            <Notice
              tone={tone}
              title={label}
              actions={
                canTest && (
                  <Button isBusy={validation.fetching || detail.status === 'validating'} onClick={test}>
                    Test again
                  </Button>
                )
              }
            >
              {detail.message && <p>{detail.message}</p>}
              {detail.remediation && <p className="mt-1 font-medium">{detail.remediation}</p>}
            </Notice>
            {validation.error && <FailureNotice error={validation.error} />}
            <Scopes title="Missing permissions" scopes={detail.missingScopes} className="text-bad" />
            <Scopes title="Granted permissions" scopes={detail.grantedScopes} className="text-muted" />
            {detail.validatedAt && (
              <p className="text-xs text-muted">
                Last test <TimeAgo at={detail.validatedAt} />
              </p>
            )}
          </div>
        );
      }}
    </QueryView>
  );
}

function Scopes({
  title,
  scopes,
  className,
}: {
  title: string;
  scopes: string[] | null | undefined;
  className: string;
}) {
  if (!scopes?.length) return null;
  return (
    <p className={`text-sm ${className}`}>
      {title}: <code>{scopes.join(', ')}</code>
    </p>
  );
}
