import type { EntityManager } from '@mikro-orm/postgresql';
import type { Context } from 'koa';
import type { ArtifactServices } from '../artifacts/artifact-context.js';
import type { IngestContext, IngestServices } from '../ingest/ingest-context.js';
import type { ConnectionServices } from '../instances/credentials/connection-context.js';
import type { EntityTables } from '../kernel/entities/entity-tables.js';
import { AppError, type ErrorCode } from '../kernel/errors.js';
import type { ReaderFactory } from '../kernel/reading/reader-factory.js';
import type { RequestContext } from '../kernel/reading/request-context.js';
import type { TapOpener } from '../syncs/reading/tap-opener.js';
import type { SyncContext } from '../syncs/schedules/sync-context.js';
import type { TableServices } from '../tables/table-context.js';
import type { AccessContext } from '../tenancy/access.js';
import type { Authenticator } from '../tenancy/authentication/authenticator.js';
import type { Caller } from '../tenancy/caller.js';
import type { InvitationDelivery } from '../tenancy/invitation-delivery.js';
import type { StorageQuota } from '../tenancy/storage-quota.js';
import { writeAsCaller } from '../tenancy/workspace-transaction.js';
import { AuthenticationHistory } from './authentication-history.js';
import { type RequestRateLimiter, setRateLimitHeaders } from './request-rate-limiter.js';

export interface AdmissionServices {
  readonly em: EntityManager;
  readonly tables: EntityTables;
  readonly readers: ReaderFactory;
  readonly authentication: Authenticator;
  readonly limits: RequestRateLimiter;
  readonly invitations: InvitationDelivery;
  readonly storage: StorageQuota;
  readonly connections: ConnectionServices;
  readonly artifacts: ArtifactServices;
  readonly tableServices: TableServices;
  readonly taps: TapOpener;
  readonly ingest: IngestServices;
  /** Number of trusted proxies, each of which appends an entry to `X-Forwarded-For`. */
  readonly proxyHops: number;
}

/** The access rule of each field decides whether one of these errors affects the field. */
const CALLER_ERROR_CODES: readonly ErrorCode[] = [
  'UNAUTHENTICATED',
  'WORKSPACE_REQUIRED',
  'WORKSPACE_FORBIDDEN',
  'FORBIDDEN',
];

function isAboutCaller(error: unknown): error is AppError {
  return error instanceof AppError && CALLER_ERROR_CODES.includes(error.code);
}

export class RequestAdmission {
  readonly #history = new AuthenticationHistory();

  constructor(private readonly services: AdmissionServices) {}

  /** Admits a request to public data. Throws TOO_MANY_REQUESTS. */
  async admitAnonymous(ctx: Context): Promise<RequestContext> {
    await this.countAnonymous(ctx);
    return { requestId: ctx.state.requestId as string, read: this.services.readers.forPlatform() };
  }

  /** Rejects with TOO_MANY_REQUESTS. Returns undefined if there is no limit. */
  countAnonymous(ctx: Context): Promise<void> | undefined {
    return this.services.limits.count(ctx, 'public', this.#addressOf(ctx));
  }

  /** Throws TOO_MANY_REQUESTS if one more request to public data would exceed the limit. Counts nothing. */
  requireRemaining(ctx: Context): Promise<void> {
    return this.services.limits.requireRemaining(ctx, 'public', this.#addressOf(ctx));
  }

  /**
   * Throws UNAUTHENTICATED for a request without a valid caller. Reads the headers of the request, but not its body.
   */
  async admitCaller(ctx: Context): Promise<AccessContext> {
    const context = await this.admit(ctx);
    if (context.refusal?.code === 'UNAUTHENTICATED') throw context.refusal;
    return context;
  }

  /**
   * Also admits a request without a valid caller. The access rule of each field then decides whether to report
   * `refusal`.
   */
  async admit(ctx: Context): Promise<AccessContext> {
    ctx.vary('Authorization');
    ctx.vary('X-Tenant');
    ctx.vary('Host');
    try {
      return this.contextOf(await this.#callerOf(ctx), ctx);
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'TOO_MANY_REQUESTS') throw error;
      // A request without a valid caller counts against the limit of its address.
      const context = await this.admitAnonymous(ctx);
      if (!isAboutCaller(error)) throw error;
      return { ...context, refusal: error };
    }
  }

  /**
   * Authenticates the caller of an open stream again, without counting a request. Throws if the caller has lost access.
   * Throws WORKSPACE_FORBIDDEN if the credentials now belong to a different caller.
   */
  async readmit(ctx: Context): Promise<IngestContext> {
    const { authentication } = this.services;
    const { caller: known } = ctx.state.context as AccessContext;
    const claim = await authentication.verify(authentication.readCredentials(ctx.req));
    const caller = await authentication.findCaller(claim, ctx.state.requestId as string);
    if (caller.id !== known?.id || caller.tenantId !== known.tenantId)
      throw new AppError('WORKSPACE_FORBIDDEN', 'The workspace does not exist, or you are not a member of it.');
    return this.contextOf(caller, ctx);
  }

  /**
   * Counts the request against the limit of its caller. Rejects two kinds of requests before it calls `findCaller`,
   * and does not count them:
   * - The credentials are known from an earlier request, and their caller has reached the limit `caller`.
   * - The credentials are untrusted, and the address of the request has reached its limit.
   */
  async #callerOf(ctx: Context): Promise<Caller> {
    const { authentication, limits } = this.services;
    const credentials = authentication.readCredentials(ctx.req);
    const knownKey = this.#history.limitKeyOf(credentials);
    if (knownKey) await limits.requireRemaining(ctx, 'caller', knownKey);
    const claim = await authentication.verify(credentials);
    if (!knownKey && this.#history.isUntrusted(claim)) await this.requireRemaining(ctx);
    const caller = await authentication.findCaller(claim, ctx.state.requestId as string).catch((error: unknown) => {
      if (isAboutCaller(error)) this.#history.reject(credentials, claim);
      throw error;
    });
    const limitKey = `${caller.tenantId} ${caller.id}`;
    this.#history.accept(credentials, claim, limitKey);
    await limits.count(ctx, 'caller', limitKey);
    return caller;
  }

  /** Throws TOO_MANY_REQUESTS while too many bodies of unauthenticated requests arrive from the same address. */
  readBody<Body>(ctx: Context, read: () => Promise<Body>): Promise<Body> {
    return this.services.limits.readBody(this.#addressOf(ctx), read);
  }

  contextOf(caller: Caller, ctx: Context): IngestContext & SyncContext {
    const { em, tables, readers, limits, invitations, storage, connections, artifacts, tableServices, taps, ingest } =
      this.services;
    const requestId = ctx.state.requestId as string;
    const read = readers.forTenant(caller.tenantId);
    let upload: Promise<void> | undefined;
    return {
      ...{ requestId, caller, invitations, storage, connections, artifacts, tableServices, taps, ingest, read },
      write: (work) => writeAsCaller(em, tables, caller, requestId, work).finally(() => read.clear()),
      countUpload: async () => (upload ??= limits.count(ctx, 'upload', `${caller.tenantId} ${caller.id}`)),
      countVendorRequest: () =>
        connections.requestLimit.requireRequest(caller.tenantId, (state) => setRateLimitHeaders(ctx, state)),
      setCookie: ({ name, value, maxAge }) => {
        const secure = connections.baseUrl().startsWith('https:') ? '; Secure' : '';
        const text = `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`;
        ctx.append('Set-Cookie', text);
      },
    };
  }

  /** Each trusted proxy appends the address from which it received the request. A client can forge earlier entries. */
  #addressOf({ req }: Context): string {
    const direct = req.socket.remoteAddress ?? '';
    const { proxyHops } = this.services;
    if (proxyHops === 0) return direct;
    const forwarded = String(req.headers['x-forwarded-for'] ?? '')
      .split(',')
      .map((part) => part.trim());
    return forwarded.at(-proxyHops) || direct;
  }
}
