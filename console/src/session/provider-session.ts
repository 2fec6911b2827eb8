import {
  ErrorResponse,
  InMemoryWebStorage,
  type User,
  UserManager,
  type UserManagerSettings,
  WebStorageStateStore,
} from 'oidc-client-ts';
import { type Session, SessionEnded } from './session.js';
import type { SignIn } from './settings.js';

type Provider = Extract<SignIn, { kind: 'provider' }>;

/** The provider returns this state to the callback page. */
interface SignInState {
  workspace: string;
  next: string;
}

function createManager({ issuer, clientId, scope, audience }: Provider): UserManager {
  return new UserManager({
    ...{ authority: issuer, client_id: clientId, scope },
    redirect_uri: `${location.origin}/sign-in/callback`,
    post_logout_redirect_uri: `${location.origin}/sign-in`,
    ...audienceParameters(audience),
    userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    // The PKCE verifier and the state must survive the redirect.
    stateStore: new WebStorageStateStore({ store: sessionStorage }),
    automaticSilentRenew: false, // The session renews its token before a request that needs the token.
  });
}

/**
 * Providers use `resource` (RFC 8707), which is a URI, or the older `audience`. Without `resource` in the token
 * request, a provider may return a token for another audience (RFC 8707, section 2.2).
 */
function audienceParameters(audience: string): Partial<UserManagerSettings> {
  const resource = URL.canParse(audience) && { resource: audience };
  return { ...resource, extraQueryParams: { audience }, extraTokenParams: { ...resource } };
}

export async function startProviderSignIn(provider: Provider, state: SignInState): Promise<void> {
  await createManager(provider).signinRedirect({ state });
}

export async function completeProviderSignIn(provider: Provider): Promise<{ session: Session; next: string }> {
  const manager = createManager(provider);
  const user = (await manager.signinCallback()) as User;
  const { workspace, next } = user.state as SignInState;
  const session: Session = {
    workspace,
    token: tokenSource(manager, user),
    signInAgain: (path) => startProviderSignIn(provider, { workspace, next: path }),
    signOut: () => manager.signoutRedirect().catch(() => location.assign('/sign-in')),
  };
  return { session, next };
}

/** Concurrent requests share one renewal, because most providers accept a refresh token only once. */
function tokenSource(manager: UserManager, signedIn: User): Session['token'] {
  let user = signedIn;
  let renewal: Promise<string> | undefined;
  const renew = async (): Promise<string> => {
    if (!user.refresh_token) throw new SessionEnded();
    try {
      user = (await manager.signinSilent()) ?? user;
      return user.access_token;
    } catch (error) {
      throw error instanceof ErrorResponse ? new SessionEnded() : error;
    }
  };
  return async (rejected) => {
    if (!user.expired && user.access_token !== rejected) return user.access_token;
    renewal ??= renew().finally(() => {
      renewal = undefined;
    });
    return renewal;
  };
}
