import { createPublicKey } from 'node:crypto';
import { decodeJwt, type JWTPayload, jwtVerify } from 'jose';
import type { FakeVendor } from './fake-vendor.js';
import { DELEGATED_USER } from './vendor-credentials.js';
import { basicCredentialsOf, type VendorRequest, type VendorResponse } from './vendor-request.js';

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

const CLIENTS = {
  'oauth2-refresh': { connector: 'oauth2-refresh', by: 'form' },
  'oauth2-client-credentials': { connector: 'oauth2-client-credentials', by: 'form' },
  'oauth2-client-credentials-basic': { connector: 'oauth2-client-credentials', by: 'header' },
} as const;

const REFUSALS = { invalid_client: 401 } as Readonly<Record<string, number>>;

class Refusal extends Error {
  constructor(
    readonly code: string,
    readonly description?: string,
  ) {
    super(code);
  }
}

/** `/oauth/token` of the vendor, with all grants that need no browser. Errors follow RFC 6749, section 5.2. */
export class TokenEndpoint {
  readonly #vendor: FakeVendor;
  readonly #usedIds = new Set<string>();
  readonly #grants: Readonly<Record<string, (call: VendorRequest, form: URLSearchParams) => Promise<object>>> = {
    refresh_token: (call, form) => this.#refresh(call, form),
    client_credentials: (call, form) => this.#clientCredentials(call, form),
    [JWT_BEARER]: (_, form) => this.#jwtBearer(form),
  };

  constructor(vendor: FakeVendor) {
    this.#vendor = vendor;
    vendor.tokens.issueRefreshToken(undefined, vendor.credentials['oauth2-refresh'].authenticationConfig.refreshToken);
  }

  async respond(call: VendorRequest): Promise<VendorResponse> {
    try {
      const form = new URLSearchParams(call.body);
      if (call.method !== 'POST' || !call.headers['content-type']?.startsWith('application/x-www-form-urlencoded')) {
        throw new Refusal('invalid_request');
      }
      const grant = this.#grants[form.get('grant_type') ?? ''];
      if (!grant) throw new Refusal('unsupported_grant_type');
      return { status: 200, body: await grant(call, form) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { code, description } = error;
      return { status: REFUSALS[code] ?? 400, body: { error: code, error_description: description } };
    }
  }

  async #refresh(call: VendorRequest, form: URLSearchParams): Promise<object> {
    this.#requireClient(call, form, ['oauth2-refresh']);
    const { tokens } = this.#vendor;
    const grantId = tokens.redeem(form.get('refresh_token') ?? '');
    if (!grantId) throw new Refusal('invalid_grant');
    const reply = this.#issue('oauth2-refresh', 'ada@vendor.test', form, grantId);
    return { ...reply, refresh_token: tokens.issueRefreshToken(grantId) };
  }

  async #clientCredentials(call: VendorRequest, form: URLSearchParams): Promise<object> {
    const client = this.#requireClient(call, form, ['oauth2-client-credentials', 'oauth2-client-credentials-basic']);
    return this.#issue(CLIENTS[client].connector, 'service@vendor.test', form);
  }

  async #jwtBearer(form: URLSearchParams): Promise<object> {
    const assertion = form.get('assertion') ?? '';
    const { 'oauth2-jwt-bearer': app, 'google-domain-wide-delegation': google } = this.#vendor.credentials;
    const { clientId } = app.authenticationConfig;
    const { clientEmail } = google.authenticationConfig;
    switch (issuerOf(assertion)) {
      case clientId: {
        const { sub } = await this.#verify(assertion, app.authenticationConfig.privateKey, clientId);
        if (!sub || sub !== app.authenticationConfig.subject) throw new Refusal('invalid_grant', 'unknown subject');
        return this.#issue('oauth2-jwt-bearer', sub, form);
      }
      case clientEmail: {
        const { sub, scope } = await this.#verify(assertion, google.authenticationConfig.privateKey, clientEmail);
        if (typeof scope !== 'string') throw new Refusal('invalid_scope');
        if (sub !== DELEGATED_USER) throw new Refusal('invalid_grant', 'Invalid email or User ID');
        return this.#issue('google-domain-wide-delegation', sub, new URLSearchParams({ scope }));
      }
      default:
        throw new Refusal('invalid_grant', 'unknown issuer');
    }
  }

  async #verify(assertion: string, privateKey = '', issuer?: string): Promise<JWTPayload> {
    const audience = `${this.#vendor.origin}/oauth/token`;
    const { payload } = await jwtVerify(assertion, createPublicKey(privateKey), {
      ...{ issuer, audience, algorithms: ['RS256'] },
      ...{ requiredClaims: ['iat', 'exp', 'jti'], maxTokenAge: '1h' },
    }).catch(() => {
      throw new Refusal('invalid_grant', 'the assertion does not hold');
    });
    if (this.#usedIds.has(payload.jti as string)) throw new Refusal('invalid_grant', 'the assertion was used before');
    this.#usedIds.add(payload.jti as string);
    return payload;
  }

  #issue(connector: string, name: string, form: URLSearchParams, grantId?: string): object {
    const { tokens, grantedScopes, origin } = this.#vendor;
    const requested = form.get('scope')?.split(' ');
    const scopes = grantedScopes.filter((scope) => !requested || requested.includes(scope));
    return {
      access_token: tokens.issue(connector, { name, scopes }, grantId),
      ...{ token_type: 'Bearer', expires_in: tokens.seconds, scope: scopes.join(' ') },
      ...{ instance_url: origin, api_host: new URL(origin).host },
    };
  }

  #requireClient<Name extends keyof typeof CLIENTS>(call: VendorRequest, form: URLSearchParams, names: Name[]): Name {
    const header = basicCredentialsOf(call)?.map(formDecoded);
    const found = names.find((name) => {
      const { clientId, clientSecret } = this.#vendor.credentials[name].authenticationConfig;
      const sent = CLIENTS[name].by === 'header' ? header : [form.get('client_id'), form.get('client_secret')];
      return sent?.[0] === clientId && sent?.[1] === clientSecret;
    });
    // A client must not use two authentication methods (RFC 6749, section 2.3).
    if (!found || (header && form.has('client_secret'))) throw new Refusal('invalid_client');
    return found;
  }
}

function issuerOf(assertion: string): string | undefined {
  try {
    return decodeJwt(assertion).iss;
  } catch {
    throw new Refusal('invalid_request');
  }
}

function formDecoded(text: string): string | null {
  return new URLSearchParams(`text=${text}`).get('text');
}
