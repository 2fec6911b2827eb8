import type { SecretStore } from '../../secrets/secret-store.js';
import type { SendFor } from '../../sources/source-request.js';
import type { WorkspaceContext } from '../../tenancy/workspace-context.js';
import type { CredentialTester } from './credential-tester.js';
import type { SourceRateLimiter } from './source-rate-limiter.js';
import type { VendorRequestLimiter } from './vendor-request-limiter.js';

export interface ConnectionServices {
  readonly secrets: SecretStore;
  readonly sendFor: SendFor;
  readonly sourceLimits: SourceRateLimiter;
  readonly credentialTester: CredentialTester;
  readonly requestLimit: VendorRequestLimiter;
  /** Checks the URL against the outbound rules, without resolving its host. */
  readonly mayCall: (url: URL) => boolean;
  /** Without a trailing slash. */
  readonly baseUrl: () => string;
}

export interface ConnectionContext extends WorkspaceContext {
  readonly connections: ConnectionServices;
  /** Throws TOO_MANY_REQUESTS if the workspace has reached its limit. */
  countVendorRequest(): Promise<void>;
  /** `maxAge` is in seconds, and 0 deletes the cookie. */
  setCookie(cookie: { name: string; value: string; maxAge: number }): void;
}
