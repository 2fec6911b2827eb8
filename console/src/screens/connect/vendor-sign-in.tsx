import { ExternalLink } from 'lucide-react';
import { useMutation } from 'urql';
import { graphql } from '../../gql/gql.js';
import { Button, buttonClasses } from '../../ui/button.js';
import { FailureNotice } from '../../ui/failure-notice.js';

const startMutation = graphql(`
  mutation StartSignIn($instanceId: Base62Id!) {
    connectorOauthStart(instanceId: $instanceId) {
      authorizeUrl
    }
  }
`);

/** Opens the vendor's sign-in page in a new tab. A page of the service completes the sign-in in that tab. */
export function ProviderSignInStep({ instanceId }: { instanceId: string }) {
  const [result, start] = useMutation(startMutation);
  const url = result.data?.connectorOauthStart?.authorizeUrl;
  return (
    <div className="space-y-3">
      {url ? (
        <a href={url} target="_blank" rel="noreferrer" className={buttonClasses('primary')}>
          Continue at the vendor <ExternalLink aria-hidden className="size-4" />
        </a>
      ) : (
        <Button kind="primary" isBusy={result.fetching} onClick={() => start({ instanceId })}>
          Sign in with the vendor
        </Button>
      )}
      {result.error && <FailureNotice error={result.error} />}
    </div>
  );
}
