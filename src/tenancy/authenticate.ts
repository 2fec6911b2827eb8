import type { IncomingMessage } from 'node:http';
import type { EntityManager } from '@mikro-orm/postgresql';
import { LRUCache } from 'lru-cache';
import { AppError } from '../kernel/errors.js';
import { decodeId, newId } from '../kernel/ids.js';
import type { Readers } from '../kernel/readers.js';
import type { Tables } from '../kernel/tables.js';
import { acceptInvitation } from './accept-invitation.js';
import { type Identity, type Issuer, verifyAccessToken } from './access-token.js';
import { API_KEY_PREFIX, parseApiKey } from './api-key-text.js';
import type { Caller } from './caller.js';
import { type FoundUser, findApiKey, findUser } from './find-caller.js';
import { findWorkspace } from './find-workspace.js';
import { openInvitation } from './open-invitation.js';
import { namedWorkspace } from './workspace-slug.js';
import { systemCaller, writeAs } from './workspace-transaction.js';

export interface AuthenticationParts {
  readonly em: EntityManager;
  readonly tables: Tables;
  readonly readers: Readers;
  readonly issuer: Issuer;
  readonly baseDomain: string;
}

/**
 * Milliseconds for which the id behind a slug is cached. Unknown slugs are cached for the same time, so that the time of a reply does not tell
 * which workspaces exist; it is short so that a new workspace is soon found.
 */
const SLUG_TTL = 2_000;
const SLUGS_KEPT = 10_000;

const NOTE_USE = `
update api_key set last_used_at = now()
where tenant_id = $1 and id = $2 and (last_used_at is null or last_used_at < now() - interval '1 minute')`;

/** What a request authenticates with, not verified. */
export interface Credentials {
  readonly token: string;
  readonly slug: string | undefined;
}

/** A verified access token, or an API key that may exist. */
export type Claim =
  | { readonly kind: 'user'; readonly identity: Identity; readonly slug: string }
  | {
      readonly kind: 'api_key';
      readonly tenantId: string;
      readonly hash: string;
      readonly slug: string | undefined;
    };

/** Finds out who asks, and in which workspace. A workspace that is not there looks like one that the caller is no member of. */
export class Authentication {
  readonly #ids = new LRUCache<string, string>({ max: SLUGS_KEPT, ttl: SLUG_TTL });

  constructor(private readonly parts: AuthenticationParts) {}

  /** Reads the credentials of a request. Throws UNAUTHENTICATED or BAD_REQUEST. */
  credentialsOf(request: IncomingMessage): Credentials {
    const token = bearerOf(request);
    if (token === undefined) throw new AppError('UNAUTHENTICATED', 'A bearer token is needed.');
    return { token, slug: namedWorkspace(request, this.parts.baseDomain) };
  }

  /** Verifies as much as is possible without the database. Throws UNAUTHENTICATED or WORKSPACE_REQUIRED. */
  async verify({ token, slug }: Credentials): Promise<Claim> {
    if (token.startsWith(API_KEY_PREFIX)) {
      const key = parseApiKey(token);
      if (!key) throw invalidToken();
      return { kind: 'api_key', ...key, slug };
    }
    const identity = await verifyAccessToken(token, this.parts.issuer);
    if (slug === undefined) throw new AppError('WORKSPACE_REQUIRED', 'Name a workspace in X-Tenant or as subdomain.');
    return { kind: 'user', identity, slug };
  }

  /** Throws UNAUTHENTICATED, WORKSPACE_FORBIDDEN or FORBIDDEN. */
  find(claim: Claim, requestId: string): Promise<Caller> {
    return claim.kind === 'api_key' ? this.#byKey(claim) : this.#byIdentity(claim, requestId);
  }

  async #byIdentity({ identity, slug }: Extract<Claim, { kind: 'user' }>, requestId: string): Promise<Caller> {
    const tenantId = await this.workspaceIdOf(slug);
    const known = await this.#find(tenantId, identity);
    const isNew = !known || known.status === 'PENDING';
    const found = isNew ? await this.#signInFirst(tenantId, identity, requestId) : known;
    if (found?.status !== 'ACTIVE') throw workspaceForbidden();
    if (found.requireStrongAuth && !identity.strong) throw new AppError('FORBIDDEN', 'Sign in with a second factor.');
    return found.caller;
  }

  async #byKey({ tenantId, hash, slug }: Extract<Claim, { kind: 'api_key' }>): Promise<Caller> {
    const found = await findApiKey(this.parts.readers.ofTenant(tenantId), tenantId, hash);
    if (!found) throw invalidToken();
    const { caller, isStale } = found;
    if (slug !== undefined && (await this.workspaceIdOf(slug)) !== caller.tenantId) throw workspaceForbidden();
    if (isStale) await this.#noteUse(caller);
    return caller;
  }

  #find(tenantId: string, identity: Identity): Promise<FoundUser | undefined> {
    return findUser(this.parts.readers.ofTenant(tenantId), tenantId, identity);
  }

  /** Looks once more in the end, also where no invitation is open: a request at the same moment may have accepted it. */
  async #signInFirst(tenantId: string, identity: Identity, requestId: string): Promise<FoundUser | undefined> {
    const { em, tables, readers } = this.parts;
    if (!identity.email) return undefined;
    if (await openInvitation(readers.ofTenant(tenantId), identity.email))
      await writeAs(em, tables, systemCaller(tenantId), requestId, (tx) => acceptInvitation(tx, identity));
    return this.#find(tenantId, identity);
  }

  /** A failure is ignored: a read with a key must work while the database is read-only. */
  async #noteUse({ id, tenantId }: Caller): Promise<void> {
    const values = [decodeId(tenantId), decodeId(id)];
    await this.parts.readers
      .ofTenant(tenantId)
      .rows(NOTE_USE, values)
      .catch(() => undefined);
  }

  /** The id behind a slug. One that nobody has stands for an empty workspace, so that looking there takes as long as anywhere else. */
  async workspaceIdOf(slug: string): Promise<string> {
    const known = this.#ids.get(slug);
    if (known) return known;
    const id = (await findWorkspace(this.parts.readers, slug)) ?? newId();
    this.#ids.set(slug, id);
    return id;
  }
}

/** RFC 6750, section 2.1; the other ways to send a token are not taken. */
function bearerOf({ headers }: IncomingMessage): string | undefined {
  return /^bearer +([\w.~+/=-]+) *$/i.exec(headers.authorization ?? '')?.[1];
}

function invalidToken(): AppError {
  return new AppError('UNAUTHENTICATED', 'The bearer token is not valid.');
}

function workspaceForbidden(): AppError {
  return new AppError('WORKSPACE_FORBIDDEN', 'There is no such workspace, or you are no member of it.');
}
