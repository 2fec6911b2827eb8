import type { TokenLookup, TokenRegistry } from './token-registry.js';
import type { VendorCredentials } from './vendor-credentials.js';

export interface FakeVendor {
  readonly origin: string;
  readonly credentials: VendorCredentials;
  readonly tokens: TokenRegistry;
  /** Scopes that the vendor grants if a client requests them. */
  readonly grantedScopes: readonly string[];
  readonly provider?: TokenLookup;
}
