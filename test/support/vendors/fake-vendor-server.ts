import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { listenOnLoopback } from '../servers/loopback.js';
import { CREDENTIAL_CHECKS } from './credential-checks.js';
import type { FakeVendor } from './fake-vendor.js';
import { SESSION_ENDPOINTS } from './session-endpoints.js';
import { TokenEndpoint } from './token-endpoint.js';
import { type TokenLookup, TokenRegistry, type VendorAccount } from './token-registry.js';
import { type VendorCredentials, vendorCredentials } from './vendor-credentials.js';
import { readVendorRequest, type VendorRequest, type VendorResponse } from './vendor-request.js';
import {
  replyExpired,
  replyNotFound,
  replyUnauthorized,
  replyUserAgentRequired,
  replyWith,
  type VendorBehaviour,
} from './vendor-responses.js';

export const VENDOR_SCOPES = ['records:read', 'profile:read'];
const RECORDS = Array.from({ length: 25 }, (_, nth) => ({
  id: nth + 1,
  title: `Record ${nth + 1}`,
  comments: nth % 3,
}));

/**
 * A vendor's API. Each connector has paths of its own, `/bearer/me`, `/bearer/records`, `/bearer/records/7/comments`, where
 * no other credential than its own is good; tokens come from `/oauth/token`, `/sessions`, `/sessions/jwt` and
 * `/sessions/password`.
 */
export class FakeVendorServer implements FakeVendor {
  readonly credentials: VendorCredentials = vendorCredentials();
  readonly tokens = new TokenRegistry();
  /** All requests so far, in the order of their arrival. */
  readonly calls: VendorRequest[] = [];
  /** What accounts and tokens are allowed from now on, if they ask for it. */
  grantedScopes: readonly string[] = VENDOR_SCOPES;
  /** Milliseconds between what a request does and its reply, from now on. */
  slowness = 0;
  origin: string;
  close: () => Promise<void>;
  readonly #behaviours = new Map<string, { behaviour: VendorBehaviour; times: number }>();
  #tokenEndpoint: TokenEndpoint;

  /** `provider` knows the access tokens that are good for `oauth2-auth-code-pkce`. */
  constructor(readonly provider?: TokenLookup) {}

  async open(): Promise<this> {
    const listener = (request: IncomingMessage, response: ServerResponse) => this.#serve(request, response);
    Object.assign(this, await listenOnLoopback(listener));
    this.#tokenEndpoint = new TokenEndpoint(this);
    return this;
  }

  /** What is done at a path (`*` for all that have no behaviour of their own) from now on, or so many times. */
  behave(path: string, behaviour: VendorBehaviour, { times = Number.POSITIVE_INFINITY } = {}): void {
    this.#behaviours.set(path, { behaviour, times });
  }

  /** At the path, or everywhere, all is well again. */
  recover(path?: string): void {
    if (path) this.#behaviours.delete(path);
    else this.#behaviours.clear();
  }

  callsTo(path: string): VendorRequest[] {
    return this.calls.filter((call) => call.path === path);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = await readVendorRequest(request);
    this.calls.push(call);
    const behaviour = this.#behaviourAt(call.path) ?? reply(await this.#answer(call));
    await sleep(this.slowness);
    behaviour(call, response);
  }

  #behaviourAt(path: string): VendorBehaviour | undefined {
    const key = this.#behaviours.has(path) ? path : '*';
    const found = this.#behaviours.get(key);
    if (found && --found.times === 0) this.#behaviours.delete(key);
    return found?.behaviour;
  }

  async #answer(call: VendorRequest): Promise<VendorResponse | VendorBehaviour> {
    if (!call.headers['user-agent']) return replyUserAgentRequired();
    if (call.path === '/oauth/token') return this.#tokenEndpoint.answer(call);
    const signIn = SESSION_ENDPOINTS[call.path];
    if (signIn) return signIn(call, this);
    const [, connector = '', ...resource] = call.path.split('/');
    const verdict = await CREDENTIAL_CHECKS[connector]?.(call, this);
    if (!verdict) return CREDENTIAL_CHECKS[connector] ? replyUnauthorized() : replyNotFound();
    return verdict === 'expired' ? replyExpired() : read(resource.join('/'), call.query, verdict);
  }
}

/** `provider`, such as an OAuthProvider, knows the access tokens that are good for `oauth2-auth-code-pkce`. */
export function aFakeVendorServer({ provider }: { provider?: TokenLookup } = {}): Promise<FakeVendorServer> {
  return new FakeVendorServer(provider).open();
}

function reply(what: VendorResponse | VendorBehaviour): VendorBehaviour {
  return typeof what === 'function' ? what : replyWith(what.status, what.body, what.headers);
}

function read(
  resource: string,
  query: URLSearchParams,
  { name, scopes }: VendorAccount,
): VendorResponse | VendorBehaviour {
  if (resource === 'me') return { status: 200, body: { ok: true, id: 'u-1', email: name, scopes } };
  if (resource === 'records') {
    const offset = Number(query.get('offset') ?? 0);
    const data = RECORDS.slice(offset, offset + Number(query.get('limit') ?? 10));
    return { status: 200, body: { ok: true, data, total: RECORDS.length } };
  }
  const [, id] = /^records\/(\d+)\/comments$/.exec(resource) ?? [];
  const record = RECORDS.find((one) => String(one.id) === id);
  if (!record) return replyNotFound();
  const data = Array.from({ length: record.comments }, (_, nth) => ({ id: `${id}-${nth + 1}`, text: 'A comment' }));
  return { status: 200, body: { ok: true, data } };
}
