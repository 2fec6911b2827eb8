import { hash } from 'node:crypto';
import { type GraphQLSchema, getOperationAST, type OperationDefinitionNode } from 'graphql';
import type { Context, Middleware } from 'koa';
import { LRUCache } from 'lru-cache';
import { compress, negotiateCoding } from '../../../rest-facade/content-coding.js';
import type { Representation } from '../../../rest-facade/representation.js';
import { RepresentationCache } from '../../../rest-facade/representation-cache.js';
import { type AccessContext, type AccessRule, isAllowed } from '../../tenancy/access.js';
import { catalogRulesOf } from './catalog-operation.js';
import type { CheckedDocument } from './check-graphql-document.js';
import type { DocumentCache } from './document-cache.js';

const MAX_CACHE_BYTES = 32 * 1024 * 1024;

/** The cache ignores requests with a longer body or `Accept` header. */
const MAX_BODY_CHARACTERS = 32 * 1024;
const MAX_ACCEPT_CHARACTERS = 200;

/** Maximum number of requests that the cache remembers after their first occurrence. */
const MAX_SEEN_REQUESTS = 10_000;

const NOTHING = Buffer.alloc(0);

/** The cache must not store the response, for example because it contains errors. */
class NotCacheable extends Error {}

type CheckedContext = AccessContext & { readonly checked?: CheckedDocument };

/**
 * Caches responses that contain only fields with `OfCatalog`. A caller receives a cached response only if the caller is
 * allowed to read all fields of the query. Only the second request with the same body and `Accept` header stores its
 * response, so that a flood of different requests evicts no responses.
 */
export function cacheCatalogResponses(
  schema: GraphQLSchema,
  documents: DocumentCache,
  revision: () => Promise<string>,
): Middleware {
  const cache = new RepresentationCache(revision, MAX_CACHE_BYTES);
  const seen = new LRUCache<string, true>({ max: MAX_SEEN_REQUESTS });
  const rules = new WeakMap<OperationDefinitionNode, ReadonlySet<AccessRule> | 'none'>();

  return async (ctx, next) => {
    const key = isCacheable(ctx) ? keyOf(ctx) : undefined;
    if (key === undefined || !isRepeated(key)) return next();
    let isOwn = false;
    const make = async (): Promise<Representation> => {
      isOwn = true;
      await next();
      return representationOf(ctx);
    };
    const cached = await getOrNothing(key, make);
    if (isOwn) return;
    if (cached) await send(ctx, key, cached);
    else await next();
  };

  function isCacheable(ctx: Context): boolean {
    const context = ctx.state.context as CheckedContext;
    const { document } = context.checked ?? {};
    const { operationName, extensions } = ctx.request.body as { operationName?: unknown; extensions?: unknown };
    if (!document || !documents.isKept(document) || extensions !== undefined) return false;
    const operation = getOperationAST(document, typeof operationName === 'string' ? operationName : undefined);
    if (!operation) return false;
    const known = rules.get(operation) ?? catalogRulesOf(schema, document, operation) ?? 'none';
    rules.set(operation, known);
    return known !== 'none' && [...known].every((rule) => isAllowed(context, rule));
  }

  function isRepeated(key: string): boolean {
    const digest = hash('sha256', key, 'base64url');
    const isKnown = seen.has(digest);
    seen.set(digest, true);
    return isKnown;
  }

  async function send(ctx: Context, key: string, plain: Representation): Promise<void> {
    const coding = negotiateCoding(ctx, plain.before.length);
    ctx.status = 200;
    ctx.set('content-type', plain.mediaType as string); // Apollo Server writes header names in lower case.
    ctx.body = plain.before;
    if (!coding) return;
    const encoded = await getOrNothing(coding + key, async () => {
      // Checks the revision again, because the cache must not store an old response for a new revision.
      const { before } = await cache.get(key, async () => Promise.reject(new NotCacheable()));
      return { before: await compress(coding, before), after: NOTHING };
    });
    if (!encoded) return;
    ctx.set('Content-Encoding', coding);
    ctx.body = encoded.before;
  }

  function getOrNothing(key: string, make: () => Promise<Representation>): Promise<Representation | undefined> {
    return cache.get(key, make).catch((error: unknown) => {
      if (error instanceof NotCacheable) return undefined;
      throw error;
    });
  }
}

function keyOf(ctx: Context): string | undefined {
  const accept = ctx.get('Accept');
  const text = ctx.state.bodyText as string | undefined;
  if (text === undefined || text.length > MAX_BODY_CHARACTERS || accept.length > MAX_ACCEPT_CHARACTERS)
    return undefined;
  return ` ${accept}\n${text}`;
}

function representationOf({ status, body, response }: Context): Representation {
  // Apollo Server writes `errors` before `data`.
  if (status !== 200 || typeof body !== 'string' || !body.startsWith('{"data":')) throw new NotCacheable();
  return { before: Buffer.from(body), after: NOTHING, mediaType: response.get('Content-Type') };
}
