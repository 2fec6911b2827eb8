import { type FormEvent, useRef } from 'react';
import { useMutation, useQuery } from 'urql';
import { graphql } from '../../gql/gql.js';
import { useIsAllowed } from '../../session/permissions.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { EmptyState } from '../../ui/empty-state.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { QueryView } from '../../ui/query-view.js';
import { TextField } from '../../ui/text-field.js';

const redirectsQuery = graphql(`
  query Redirects {
    workspace {
      id
      oauthRedirectUris
    }
  }
`);

const saveMutation = graphql(`
  mutation SaveRedirects($uris: [String!]!) {
    updateWorkspace(input: { oauthRedirectUris: $uris }) {
      id
      oauthRedirectUris
    }
  }
`);

export function RedirectsTab() {
  const canWrite = useIsAllowed('workspace:write');
  const [result, reload] = useQuery({ query: redirectsQuery });
  const [saved, save] = useMutation(saveMutation);
  const form = useRef<HTMLFormElement>(null);
  const uris = result.data?.workspace?.oauthRedirectUris ?? [];
  const add = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const uri = String(new FormData(event.currentTarget).get('uri')).trim();
    const { data } = await save({ uris: [...uris, uri] });
    if (data?.updateWorkspace) form.current?.reset();
  };
  return (
    <QueryView result={result} onRetry={reload}>
      {() => (
        <Card title="Redirect addresses">
          {uris.length === 0 && (
            <EmptyState title="No redirect addresses yet">
              After a sign-in with a vendor, the browser opens a page of this service. To open a page of your own
              product instead, add the address of that page.
            </EmptyState>
          )}
          <ul className="divide-y divide-line">
            {uris.map((uri) => (
              <li key={uri} className="flex flex-wrap items-center justify-between gap-3 px-5 py-3">
                <code className="min-w-0 text-sm break-all">{uri}</code>
                {canWrite && (
                  <Button
                    kind="quiet"
                    isBusy={saved.fetching}
                    onClick={() => save({ uris: uris.filter((one) => one !== uri) })}
                  >
                    Remove<span className="sr-only"> {uri}</span>
                  </Button>
                )}
              </li>
            ))}
          </ul>
          {canWrite && (
            <form ref={form} onSubmit={add} className="space-y-3 border-t border-line p-5">
              <div className="max-w-xl">
                <TextField
                  label="New address"
                  name="uri"
                  type="url"
                  required
                  help="An https URL, or an http URL of localhost. The address must not contain a fragment (#). The redirect address of a sign-in must exactly match this address."
                />
              </div>
              {saved.error && <FailureNotice error={saved.error} />}
              <Button kind="primary" type="submit" isBusy={saved.fetching}>
                Add address
              </Button>
            </form>
          )}
        </Card>
      )}
    </QueryView>
  );
}
