import { getRouteApi, Outlet } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { Provider, useQuery } from 'urql';
import { createAuthorizedFetch } from '../api/authorized-fetch.js';
import { createApiClient } from '../api/client.js';
import { createUploadFile } from '../api/upload-file.js';
import { UploadQueue } from '../api/upload-queue.js';
import { Uploads } from '../api/uploads.js';
import icon from '../assets/icon.svg';
import { graphql } from '../gql/gql.js';
import { Permissions } from '../session/permissions.js';
import type { Session } from '../session/session.js';
import { SessionEndDialog } from '../session/session-end-dialog.js';
import { Button } from '../ui/button.js';
import { FailureNotice } from '../ui/failure-notice.js';
import { Navigation } from './navigation.js';
import { UserMenu } from './user-menu.js';

const workspaceRoute = getRouteApi('/w/$workspace');

const workspaceQuery = graphql(`
  query Workspace {
    me {
      id
      name
      email
      permissions
    }
    workspace {
      id
      name
    }
  }
`);

export function WorkspaceLayout() {
  const { workspace } = workspaceRoute.useParams();
  const session = workspaceRoute.useRouteContext().sessions.current as Session;
  const [hasEnded, setEnded] = useState(false);
  const client = useMemo(
    () => createApiClient(createAuthorizedFetch(session, workspace, () => setEnded(true))),
    [session, workspace],
  );
  const uploads = useMemo(
    () => new UploadQueue(createUploadFile(session, workspace, () => setEnded(true))),
    [session, workspace],
  );
  return (
    <Provider value={client}>
      <Uploads value={uploads}>
        <Frame session={session} slug={workspace} />
        {hasEnded && <SessionEndDialog session={session} />}
      </Uploads>
    </Provider>
  );
}

function Frame({ session, slug }: { session: Session; slug: string }) {
  const [{ data, error }, reload] = useQuery({ query: workspaceQuery, requestPolicy: 'cache-first' });
  const permissions = useMemo(() => new Set(data?.me?.permissions), [data]);
  if (!data?.me || !data.workspace) {
    if (!error) return null;
    return (
      <div className="mx-auto max-w-lg space-y-4 p-8">
        <FailureNotice error={error} onRetry={() => reload({ requestPolicy: 'network-only' })} />
        <Button onClick={() => session.signOut()}>Sign out</Button>
      </div>
    );
  }
  return (
    <Permissions value={permissions}>
      <div className="flex min-h-screen flex-col lg:flex-row">
        <a href="#main" className="sr-only focus:not-sr-only focus:absolute focus:z-10 focus:bg-surface focus:p-3">
          Skip to the content
        </a>
        <aside className="sticky top-0 z-10 flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-surface px-4 py-2 lg:h-screen lg:w-60 lg:shrink-0 lg:flex-col lg:flex-nowrap lg:items-stretch lg:border-r lg:border-b-0 lg:py-4">
          <div className="flex items-center gap-2.5 lg:mb-4 lg:px-2">
            <img src={icon} alt="" className="size-7" />
            <div className="min-w-0">
              <p className="text-sm leading-tight font-semibold">Taproot</p>
              <p className="truncate text-xs text-muted">{data.workspace.name}</p>
            </div>
          </div>
          <div className="order-last w-full lg:order-none">
            <Navigation workspace={slug} />
          </div>
          <div className="ml-auto flex flex-1 justify-end lg:ml-0 lg:flex-col">
            <UserMenu name={data.me.name} email={data.me.email} session={session} />
          </div>
        </aside>
        <main id="main" className="min-w-0 flex-1">
          <Outlet />
        </main>
      </div>
    </Permissions>
  );
}
