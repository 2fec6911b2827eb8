import type { VendorCredentials } from './vendor-credentials.js';
import type { TokenLookup, VendorTokens } from './vendor-tokens.js';

/** What the parts of a vendor server know of it. */
export interface PlayedVendor {
  readonly origin: string;
  readonly credentials: VendorCredentials;
  readonly tokens: VendorTokens;
  /** What accounts and tokens are allowed, if they ask for it. */
  readonly grantedScopes: readonly string[];
  /** Knows the access tokens of the authorization server that the vendor trusts. */
  readonly provider?: TokenLookup;
}
