import { BUILT_IN_ROLES } from '../../tenancy/permissions.js';
import { DEMO_WORKSPACE, demoEmail } from '../../tenancy/workspaces/seed-demo.js';

/**
 * `unconfigured` means that `AUTH_ISSUER` is set without `CONSOLE_CLIENT_ID`, or that `AUTH_ISSUER` is not set and
 * `SEED_DEMO` is `false`.
 */
export type ConsoleSignIn =
  | {
      readonly kind: 'provider';
      readonly issuer: string;
      readonly clientId: string;
      readonly scope: string;
      readonly audience: string;
    }
  | { readonly kind: 'demo'; readonly workspace: string; readonly users: readonly DemoUser[] }
  | { readonly kind: 'unconfigured' };

interface DemoUser {
  readonly role: string;
  readonly email: string;
}

interface SignInSettings {
  readonly auth: { readonly issuer: string; readonly audience: string } | undefined;
  readonly seedDemo: boolean;
  readonly consoleClientId: string | undefined;
  readonly consoleScope: string;
}

export function consoleSignInOf({ auth, seedDemo, consoleClientId, consoleScope }: SignInSettings): ConsoleSignIn {
  if (auth && consoleClientId) {
    const { issuer, audience } = auth;
    return { kind: 'provider', issuer, audience, clientId: consoleClientId, scope: consoleScope };
  }
  if (auth || !seedDemo) return { kind: 'unconfigured' };
  const users = Object.keys(BUILT_IN_ROLES).map((role) => ({ role, email: demoEmail(role) }));
  return { kind: 'demo', workspace: DEMO_WORKSPACE, users };
}
