import type { TokenLookup, TokenRegistry } from './token-registry.js';
import type { VendorCredentials } from './vendor-credentials.js';

/** State of a fake vendor server. All parts of the server share the state. */
export interface FakeVendor {
  readonly origin: string;
  readonly credentials: VendorCredentials;
  readonly tokens: TokenRegistry;
  /** Scopes that the vendor grants if a client requests them. */
  readonly grantedScopes: readonly string[];
  /** Validates the access tokens of the authorization server that the vendor trusts. */
  readonly provider?: TokenLookup;
}
