import type { Context } from 'koa';
import { compressRepresentation, negotiateCoding } from './content-coding.js';
import type { ContentCoding, Representation } from './representation.js';
import type { RepresentationCache } from './representation-cache.js';
import type { CachedRepresentation } from './send-cached.js';

/** Cache keys of one response: one for the uncompressed response, and one for each content coding. */
export type CacheKeys = Readonly<Record<ContentCoding | 'identity', string>>;

export function cacheKeysOf(operation: string, variables: Readonly<Record<string, unknown>>): CacheKeys {
  const key = JSON.stringify([operation, variables]);
  return { identity: key, br: `br${key}`, gzip: `gzip${key}` };
}

/**
 * Returns the representation in the content coding that the client prefers. Returns undefined unless this
 * representation is cached and its revision was checked recently.
 */
export function peekCached(
  ctx: Context,
  cache: RepresentationCache,
  keys: CacheKeys,
): CachedRepresentation | undefined {
  const plain = cache.peek(keys.identity);
  const coding = plain && negotiateCoding(ctx.req, plain.before.length + plain.after.length);
  return coding ? cache.peek(keys[coding]) : plain;
}

export async function readCached(
  ctx: Context,
  cache: RepresentationCache,
  keys: CacheKeys,
  make: () => Promise<Representation>,
): Promise<CachedRepresentation> {
  const plain = await cache.get(keys.identity, make);
  const coding = negotiateCoding(ctx.req, plain.before.length + plain.after.length);
  if (!coding) return plain;
  // Reads the uncompressed response again, because `plain` is outdated if the catalog has just changed.
  return cache.get(keys[coding], async () => compressRepresentation(await cache.get(keys.identity, make), coding));
}
