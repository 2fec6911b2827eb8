import { InMemoryWebStorage, type User, UserManager, WebStorageStateStore } from 'oidc-client-ts';
import type { Session } from './session.js';
import type { SignIn } from './settings.js';

type Provider = Extract<SignIn, { kind: 'provider' }>;

/** What the console needs after the redirect of the provider. */
interface SignInState {
  workspace: string;
  next: string;
}

function createManager({ issuer, clientId, scope, audience }: Provider): UserManager {
  return new UserManager({
    ...{ authority: issuer, client_id: clientId, scope },
    redirect_uri: `${location.origin}/sign-in/callback`,
    post_logout_redirect_uri: `${location.origin}/sign-in`,
    // Providers select the audience of the access token by `resource` (RFC 8707) or by the older `audience`.
    ...(URL.canParse(audience) && { resource: audience }),
    extraQueryParams: { audience },
    userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    // The verifier of PKCE and the state must survive the redirect.
    stateStore: new WebStorageStateStore({ store: sessionStorage }),
    automaticSilentRenew: true,
  });
}

/** Redirects the browser to the provider. */
export async function startProviderSignIn(provider: Provider, state: SignInState): Promise<void> {
  await createManager(provider).signinRedirect({ state });
}

/** Completes the sign-in at the redirect address. */
export async function completeProviderSignIn(provider: Provider): Promise<{ session: Session; next: string }> {
  const manager = createManager(provider);
  let user = (await manager.signinCallback()) as User;
  manager.events.addUserLoaded((renewed) => {
    user = renewed;
  });
  const { workspace, next } = user.state as SignInState;
  const session: Session = {
    workspace,
    token: () => user.access_token,
    signOut: () => manager.signoutRedirect().catch(() => location.assign('/sign-in')),
  };
  return { session, next };
}
