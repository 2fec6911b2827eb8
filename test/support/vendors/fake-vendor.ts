import type { TokenLookup, TokenRegistry } from './token-registry.js';
import type { VendorCredentials } from './vendor-credentials.js';

/** What the parts of a vendor server know of it. */
export interface FakeVendor {
  readonly origin: string;
  readonly credentials: VendorCredentials;
  readonly tokens: TokenRegistry;
  /** What accounts and tokens are allowed, if they ask for it. */
  readonly grantedScopes: readonly string[];
  /** Knows the access tokens of the authorization server that the vendor trusts. */
  readonly provider?: TokenLookup;
}
