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
export const RECORDS = Array.from({ length: 25 }, (_, nth) => ({
  id: nth + 1,
  title: `Record ${nth + 1}`,
  comments: nth % 3,
}));

/** The name of the last object cannot be part of a request. */
export const OBJECTS = [{ name: 'Visit__c', label: 'Visit' }, { name: 'Invoice__c' }, { name: 'a/b' }];

/**
 * A fake API of a vendor. Each connector has its own paths, such as `/bearer/me`, `/bearer/records` and
 * `/bearer/records/7/comments`. The paths accept only the connector's own credential. `/oauth/token`, `/sessions`,
 * `/sessions/jwt` and `/sessions/password` issue tokens.
 */
export class FakeVendorServer implements FakeVendor {
  readonly credentials: VendorCredentials = vendorCredentials();
  readonly tokens = new TokenRegistry();
  readonly calls: VendorRequest[] = [];
  grantedScopes: readonly string[] = VENDOR_SCOPES;
  /** Delay between the effects of a request and its response, in milliseconds. */
  slowness = 0;
  origin: string;
  close: () => Promise<void>;
  readonly #behaviours = new Map<string, { behaviour: VendorBehaviour; times: number }>();
  #tokenEndpoint: TokenEndpoint;

  /** `provider` validates the access tokens of `oauth2-auth-code-pkce`. */
  constructor(readonly provider?: TokenLookup) {}

  async open(listen = listenOnLoopback): Promise<this> {
    const listener = (request: IncomingMessage, response: ServerResponse) => this.#serve(request, response);
    Object.assign(this, await listen(listener));
    this.#tokenEndpoint = new TokenEndpoint(this);
    return this;
  }

  /**
   * Sets the behaviour of a path, permanently or for a number of requests. `*` applies to all paths without their own
   * behaviour.
   */
  behave(path: string, behaviour: VendorBehaviour, { times = Number.POSITIVE_INFINITY } = {}): void {
    this.#behaviours.set(path, { behaviour, times });
  }

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
    const behaviour = this.#behaviourAt(call.path) ?? reply(await this.#respond(call));
    await sleep(this.slowness);
    behaviour(call, response);
  }

  #behaviourAt(path: string): VendorBehaviour | undefined {
    const key = this.#behaviours.has(path) ? path : '*';
    const found = this.#behaviours.get(key);
    if (found && --found.times === 0) this.#behaviours.delete(key);
    return found?.behaviour;
  }

  async #respond(call: VendorRequest): Promise<VendorResponse | VendorBehaviour> {
    if (!call.headers['user-agent']) return replyUserAgentRequired();
    if (call.path === '/oauth/token') return this.#tokenEndpoint.respond(call);
    const signIn = SESSION_ENDPOINTS[call.path];
    if (signIn) return signIn(call, this);
    const [, connector = '', ...resource] = call.path.split('/');
    const account = await CREDENTIAL_CHECKS[connector]?.(call, this);
    if (!account) return CREDENTIAL_CHECKS[connector] ? replyUnauthorized() : replyNotFound();
    return account === 'expired' ? replyExpired() : read(resource.join('/'), call.query, account);
  }
}

export function aFakeVendorServer({
  provider,
  listen,
}: {
  provider?: TokenLookup;
  listen?: typeof listenOnLoopback;
} = {}): Promise<FakeVendorServer> {
  return new FakeVendorServer(provider).open(listen);
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
  if (resource === 'objects') return { status: 200, body: { ok: true, objects: OBJECTS } };
  if (/^objects\/(Invoice__c|Visit__c)$/.test(resource)) {
    const data = [1, 2].map((id) => ({ id, of: query.get('select') }));
    return { status: 200, body: { ok: true, data } };
  }
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
