import { randomUUID } from 'node:crypto';
import { canaryValue } from '../secrets/canary-values.js';

export interface VendorAccount {
  readonly name: string;
  readonly scopes: readonly string[];
}

export interface TokenLookup {
  find(token: string): Promise<VendorAccount | 'expired' | undefined>;
}

interface IssuedToken extends VendorAccount {
  readonly connector: string;
  readonly grantId: string;
  expiresAt: number;
}

/** Access and session tokens that the vendor has issued, each valid for one connector. */
export class TokenRegistry {
  /** Lifetime of future tokens, in seconds. */
  seconds = 3_600;
  /** All tokens that the vendor has ever issued, including expired tokens. Dumps and logs must not contain them. */
  readonly texts: string[] = [];
  readonly #issued = new Map<string, IssuedToken>();
  readonly #refresh = new Map<string, { readonly grantId: string; isUsed: boolean }>();

  issue(connector: string, account: VendorAccount, grantId: string = randomUUID()): string {
    const token = this.#remember(canaryValue());
    this.#issued.set(token, { ...account, connector, grantId, expiresAt: Date.now() + this.seconds * 1_000 });
    return token;
  }

  find(token: string, connector: string): VendorAccount | 'expired' | undefined {
    const found = this.#issued.get(token);
    if (!found || found.connector !== connector) return undefined;
    return found.expiresAt > Date.now() ? found : 'expired';
  }

  expireAll(): void {
    for (const token of this.#issued.values()) token.expiresAt = 0;
  }

  revokeAll(): void {
    this.#issued.clear();
    this.#refresh.clear();
  }

  issueRefreshToken(grantId: string = randomUUID(), token: string = canaryValue()): string {
    this.#refresh.set(this.#remember(token), { grantId, isUsed: false });
    return token;
  }

  /**
   * Consumes a refresh token and returns its grant. Returns undefined for an unknown or used token. A second use
   * indicates theft and revokes the grant (RFC 9700, section 4.14.2).
   */
  redeem(token: string): string | undefined {
    const found = this.#refresh.get(token);
    if (found && !found.isUsed) {
      found.isUsed = true;
      return found.grantId;
    }
    if (found) this.#revoke(found.grantId);
    return undefined;
  }

  #revoke(grantId: string): void {
    for (const map of [this.#issued, this.#refresh]) {
      for (const [token, row] of map) if (row.grantId === grantId) map.delete(token);
    }
  }

  #remember(token: string): string {
    this.texts.push(token);
    return token;
  }
}
