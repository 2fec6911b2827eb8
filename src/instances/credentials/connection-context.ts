import type { SecretStore } from '../../secrets/secret-store.js';
import type { SendFor } from '../../sources/source-request.js';
import type { WorkspaceContext } from '../../tenancy/workspace-context.js';
import type { CredentialTester } from './credential-tester.js';
import type { VendorRequestLimiter } from './vendor-request-limiter.js';

/** What connections need beyond a request. */
export interface ConnectionServices {
  readonly secrets: SecretStore;
  readonly sendFor: SendFor;
  readonly credentialTester: CredentialTester;
  readonly requestLimit: VendorRequestLimiter;
  /** Whether calls may go to an address, as far as the address itself tells. */
  readonly mayCall: (url: URL) => boolean;
  /** Base of the service's own addresses, without a slash at the end. */
  readonly baseUrl: () => string;
}

export interface ConnectionContext extends WorkspaceContext {
  readonly connections: ConnectionServices;
  /** Counts a request that makes the service call a vendor. Throws TOO_MANY_REQUESTS. */
  countVendorRequest(): Promise<void>;
  /** Has the browser that asked keep something, out of reach of scripts. `maxAge` in seconds; 0 ends that. */
  setCookie(cookie: { name: string; value: string; maxAge: number }): void;
}
