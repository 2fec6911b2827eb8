import type { IncomingMessage } from 'node:http';
import type { EntityManager } from '@mikro-orm/postgresql';
import { LRUCache } from 'lru-cache';
import type { EntityTables } from '../../kernel/entities/entity-tables.js';
import { AppError } from '../../kernel/errors.js';
import { decodeId, newId } from '../../kernel/ids.js';
import type { ReaderFactory } from '../../kernel/reading/reader-factory.js';
import { API_KEY_PREFIX, parseApiKey } from '../api-keys/api-key-format.js';
import type { Caller } from '../caller.js';
import { findOpenInvitation } from '../members/find-open-invitation.js';
import { systemCaller, writeAsCaller } from '../workspace-transaction.js';
import { acceptInvitation } from './accept-invitation.js';
import { type Identity, type TokenIssuer, verifyAccessToken } from './access-token.js';
import { type FoundUser, findApiKey, findUser } from './find-caller.js';
import { findWorkspaceId } from './find-workspace.js';
import { readWorkspaceSlug } from './workspace-slug.js';

declare module '../../kernel/errors.js' {
  interface ErrorCodes {
    WORKSPACE_REQUIRED: true;
    WORKSPACE_FORBIDDEN: true;
  }
}

export interface AuthenticationServices {
  readonly em: EntityManager;
  readonly tables: EntityTables;
  readonly readers: ReaderFactory;
  readonly issuer: TokenIssuer;
  readonly baseDomain: string;
}

/**
 * The cache also keeps unknown slugs, so that response times do not reveal which workspaces exist. The time is short,
 * so that requests soon find a new workspace.
 */
const SLUG_TTL_MS = 2_000;
const MAX_CACHED_SLUGS = 10_000;

const UPDATE_LAST_USE = `
update api_key set last_used_at = now()
where tenant_id = $1 and id = $2 and (last_used_at is null or last_used_at < now() - interval '1 minute')`;

/** Not verified. */
export interface RequestCredentials {
  readonly token: string;
  readonly slug: string | undefined;
}

/** A verified access token, or a well-formed API key before its lookup. */
export type VerifiedCredentials =
  | { readonly kind: 'user'; readonly identity: Identity; readonly slug: string }
  | {
      readonly kind: 'api_key';
      readonly tenantId: string;
      readonly hash: string;
      readonly slug: string | undefined;
    };

/** A missing workspace causes the same errors as a workspace in which the caller is not a member. */
export class Authenticator {
  readonly #workspaceIds = new LRUCache<string, string>({ max: MAX_CACHED_SLUGS, ttl: SLUG_TTL_MS });

  constructor(private readonly services: AuthenticationServices) {}

  /** Throws UNAUTHENTICATED or BAD_REQUEST. */
  readCredentials(request: IncomingMessage): RequestCredentials {
    const token = bearerTokenOf(request);
    if (token === undefined) throw new AppError('UNAUTHENTICATED', 'A bearer token is required.');
    return { token, slug: readWorkspaceSlug(request, this.services.baseDomain) };
  }

  /** Does not use the database. Throws UNAUTHENTICATED, UNAVAILABLE or WORKSPACE_REQUIRED. */
  async verify({ token, slug }: RequestCredentials): Promise<VerifiedCredentials> {
    if (token.startsWith(API_KEY_PREFIX)) {
      const key = parseApiKey(token);
      if (!key) throw invalidToken();
      return { kind: 'api_key', ...key, slug };
    }
    const identity = await verifyAccessToken(token, this.services.issuer);
    if (slug === undefined)
      throw new AppError(
        'WORKSPACE_REQUIRED',
        'The request does not specify a workspace. Send X-Tenant, or use the subdomain of the workspace.',
      );
    return { kind: 'user', identity, slug };
  }

  /** Throws UNAUTHENTICATED, WORKSPACE_FORBIDDEN or FORBIDDEN. */
  findCaller(claim: VerifiedCredentials, requestId: string): Promise<Caller> {
    return claim.kind === 'api_key' ? this.#byKey(claim) : this.#byIdentity(claim, requestId);
  }

  async #byIdentity(
    { identity, slug }: Extract<VerifiedCredentials, { kind: 'user' }>,
    requestId: string,
  ): Promise<Caller> {
    const tenantId = await this.workspaceIdOf(slug);
    const known = await this.#findUser(tenantId, identity);
    const isNew = !known || known.status === 'PENDING';
    const found = isNew ? await this.#acceptFirstSignIn(tenantId, identity, requestId) : known;
    if (found?.status !== 'ACTIVE') throw workspaceForbidden();
    if (found.requireStrongAuth && !identity.isMultiFactor)
      throw new AppError('FORBIDDEN', 'This user must sign in with a second factor.');
    return found.caller;
  }

  async #byKey({ tenantId, hash, slug }: Extract<VerifiedCredentials, { kind: 'api_key' }>): Promise<Caller> {
    const found = await findApiKey(this.services.readers.forTenant(tenantId), tenantId, hash);
    if (!found) throw invalidToken();
    const { caller, isStale } = found;
    if (slug !== undefined && (await this.workspaceIdOf(slug)) !== caller.tenantId) throw workspaceForbidden();
    if (isStale) await this.#updateLastUse(caller);
    return caller;
  }

  #findUser(tenantId: string, identity: Identity): Promise<FoundUser | undefined> {
    return findUser(this.services.readers.forTenant(tenantId), tenantId, identity);
  }

  /**
   * Reads the user again even if no invitation is open, because a concurrent request may have accepted the invitation.
   */
  async #acceptFirstSignIn(tenantId: string, identity: Identity, requestId: string): Promise<FoundUser | undefined> {
    const { em, tables, readers } = this.services;
    if (!identity.email) return undefined;
    if (await findOpenInvitation(readers.forTenant(tenantId), identity.email))
      await writeAsCaller(em, tables, systemCaller(tenantId), requestId, (tx) => acceptInvitation(tx, identity));
    return this.#findUser(tenantId, identity);
  }

  /** Ignores failures, because reads with an API key must succeed while the database is read-only. */
  async #updateLastUse({ id, tenantId }: Caller): Promise<void> {
    const values = [decodeId(tenantId), decodeId(id)];
    await this.services.readers
      .forTenant(tenantId)
      .rows(UPDATE_LAST_USE, values)
      .catch(() => undefined);
  }

  /** An unknown slug gets a random id, so that the search for its users takes as long as for an existing workspace. */
  async workspaceIdOf(slug: string): Promise<string> {
    const known = this.#workspaceIds.get(slug);
    if (known) return known;
    const id = (await findWorkspaceId(this.services.readers, slug)) ?? newId();
    this.#workspaceIds.set(slug, id);
    return id;
  }
}

/** Accepts a token only in the Authorization header (RFC 6750, section 2.1), not in a form or query parameter. */
function bearerTokenOf({ headers }: IncomingMessage): string | undefined {
  return /^bearer +([\w.~+/=-]+) *$/i.exec(headers.authorization ?? '')?.[1];
}

function invalidToken(): AppError {
  return new AppError('UNAUTHENTICATED', 'The bearer token is not valid.');
}

function workspaceForbidden(): AppError {
  return new AppError('WORKSPACE_FORBIDDEN', 'The workspace does not exist, or you are not a member of it.');
}
