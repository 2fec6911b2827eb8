import type { SecretStore } from '../secrets/secret-store.js';
import type { SendFor } from '../sources/source-request.js';
import type { WorkspaceContext } from '../tenancy/workspace-context.js';
import type { CredentialTests } from './credential-tests.js';
import type { VendorRequestLimit } from './vendor-request-limit.js';

/** What connections need beyond a request. */
export interface ConnectionParts {
  readonly secrets: SecretStore;
  readonly sendFor: SendFor;
  readonly tests: CredentialTests;
  readonly requestLimit: VendorRequestLimit;
  /** Whether calls may go to an address, as far as the address itself tells. */
  readonly mayCall: (url: URL) => boolean;
  /** Base of the service's own addresses, without a slash at the end. */
  readonly baseUrl: () => string;
}

export interface ConnectionContext extends WorkspaceContext {
  readonly connections: ConnectionParts;
  /** Counts a request that makes the service call a vendor. Throws TOO_MANY_REQUESTS. */
  countVendorRequest(): Promise<void>;
  /** Has the browser that asked keep something, out of reach of scripts. `maxAge` in seconds; 0 ends that. */
  setCookie(cookie: { name: string; value: string; maxAge: number }): void;
}
