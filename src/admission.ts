import type { EntityManager } from '@mikro-orm/postgresql';
import type { Context } from 'koa';
import type { ArtifactParts } from './artifacts/artifact-context.js';
import { CredentialHistory } from './credential-history.js';
import type { IngestContext, IngestParts } from './ingest/ingest-context.js';
import type { ConnectionParts } from './instances/connection-context.js';
import { AppError, type ErrorCode } from './kernel/errors.js';
import type { Readers } from './kernel/readers.js';
import type { RequestContext } from './kernel/request-context.js';
import type { Tables } from './kernel/tables.js';
import { type RateLimits, tellLimit } from './rate-limits.js';
import type { TableParts } from './tables/table-context.js';
import type { Admitted } from './tenancy/access.js';
import type { Authentication } from './tenancy/authenticate.js';
import type { Caller } from './tenancy/caller.js';
import type { InvitationDelivery } from './tenancy/invitation-delivery.js';
import type { StorageQuota } from './tenancy/storage-quota.js';
import { writeAs } from './tenancy/workspace-transaction.js';

export interface AdmissionParts {
  readonly em: EntityManager;
  readonly tables: Tables;
  readonly readers: Readers;
  readonly authentication: Authentication;
  readonly limits: RateLimits;
  readonly invitations: InvitationDelivery;
  readonly storage: StorageQuota;
  readonly connections: ConnectionParts;
  readonly artifacts: ArtifactParts;
  readonly landed: TableParts;
  readonly ingest: IngestParts;
  /** Proxies in front whose X-Forwarded-For is believed. */
  readonly proxyHops: number;
}

/** About the caller; which fields they matter to is for the access rules to say. */
const ABOUT_CALLER: readonly ErrorCode[] = [
  'UNAUTHENTICATED',
  'WORKSPACE_REQUIRED',
  'WORKSPACE_FORBIDDEN',
  'FORBIDDEN',
];

function isAboutCaller(error: unknown): error is AppError {
  return error instanceof AppError && ABOUT_CALLER.includes(error.code);
}

/** The door: counts requests, finds out who asks, and hands out what a request may use. */
export class Admission {
  readonly #history = new CredentialHistory();

  constructor(private readonly parts: AdmissionParts) {}

  /** For what everybody may see. */
  async admitAnybody(ctx: Context): Promise<RequestContext> {
    await this.parts.limits.count(ctx, 'public', this.#addressOf(ctx));
    return { requestId: ctx.state.requestId as string, read: this.parts.readers.ofPlatform() };
  }

  /** Refuses whoever has asked too much already, before anything is done for them. */
  requireLeft(ctx: Context): Promise<void> {
    return this.parts.limits.requireLeft(ctx, 'public', this.#addressOf(ctx));
  }

  /** For what needs a caller: without one, UNAUTHENTICATED is thrown before anything of the request is looked at. */
  async admitCaller(ctx: Context): Promise<Admitted> {
    const context = await this.admit(ctx);
    if (context.refusal?.code === 'UNAUTHENTICATED') throw context.refusal;
    return context;
  }

  /** For what may need a caller: whoever is refused is told so by the rule of what they ask for. */
  async admit(ctx: Context): Promise<Admitted> {
    ctx.vary('Authorization');
    ctx.vary('X-Tenant');
    ctx.vary('Host');
    try {
      return this.contextOf(await this.#callerOf(ctx), ctx);
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'TOO_MANY_REQUESTS') throw error;
      const context = await this.admitAnybody(ctx); // counted by address, whatever it was refused for
      if (!isAboutCaller(error)) throw error;
      return { ...context, refusal: error };
    }
  }

  /**
   * Counts against the limit of the caller, who is known only at the end. A caller or an address whose limit is spent is rejected earlier:
   * known credentials before they are verified, others before the database looks them up.
   */
  async #callerOf(ctx: Context): Promise<Caller> {
    const { authentication, limits } = this.parts;
    const credentials = authentication.credentialsOf(ctx.req);
    const knownKey = this.#history.limitKeyOf(credentials);
    if (knownKey) await limits.requireLeft(ctx, 'caller', knownKey);
    const claim = await authentication.verify(credentials);
    if (!knownKey && this.#history.isDoubtful(claim)) await this.requireLeft(ctx);
    const caller = await authentication.find(claim, ctx.state.requestId as string).catch((error: unknown) => {
      if (isAboutCaller(error)) this.#history.reject(credentials, claim);
      throw error;
    });
    const limitKey = `${caller.tenantId} ${caller.id}`;
    this.#history.accept(credentials, claim, limitKey);
    await limits.count(ctx, 'caller', limitKey);
    return caller;
  }

  /** Reads the body of a request without a caller. Throws TOO_MANY_REQUESTS while too many from its address arrive. */
  readBody<Body>(ctx: Context, read: () => Promise<Body>): Promise<Body> {
    return this.parts.limits.readBody(this.#addressOf(ctx), read);
  }

  /** What a request may use on behalf of a caller who is known. */
  contextOf(caller: Caller, ctx: Context): IngestContext {
    const { em, tables, readers, limits, invitations, storage, connections, artifacts, landed, ingest } = this.parts;
    const requestId = ctx.state.requestId as string;
    const read = readers.ofTenant(caller.tenantId);
    let upload: Promise<void> | undefined;
    return {
      ...{ requestId, caller, invitations, storage, connections, artifacts, landed, ingest, read },
      write: (work) => writeAs(em, tables, caller, requestId, work).finally(() => read.forget()),
      countUpload: () => (upload ??= limits.count(ctx, 'upload', `${caller.tenantId} ${caller.id}`)),
      countVendorRequest: () => connections.requestLimit.count(caller.tenantId, (state) => tellLimit(ctx, state)),
      setCookie: ({ name, value, maxAge }) => {
        const secure = connections.baseUrl().startsWith('https:') ? '; Secure' : '';
        const text = `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`;
        ctx.append('Set-Cookie', text);
      },
    };
  }

  /** Each trusted proxy has added the address that it was called from; the client may have written the rest itself. */
  #addressOf({ req }: Context): string {
    const direct = req.socket.remoteAddress ?? '';
    const { proxyHops } = this.parts;
    if (proxyHops === 0) return direct;
    const forwarded = String(req.headers['x-forwarded-for'] ?? '')
      .split(',')
      .map((part) => part.trim());
    return forwarded.at(-proxyHops) || direct;
  }
}
