import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Representation } from './representation.js';
import { type CachedRepresentation, headersOf } from './send-cached.js';

const MAX_CACHE_BYTES = 64 * 1024 * 1024;

const ENTRY_OVERHEAD_BYTES = 512;

/** Maximum time until this process detects a change by another process. */
const CHECK_INTERVAL_MS = 1_000;

/** Maximum time that a cached response waits for the revision check. */
const CHECK_TIMEOUT_MS = 250;

/**
 * Caches responses to public requests for one catalog revision. Checks the revision at most once a second. If the check
 * fails, for example during a database outage, cached responses remain available.
 */
export class RepresentationCache {
  readonly #cached: LRUCache<string, CachedRepresentation>;
  /** Concurrent requests with the same key share one read. */
  readonly #pending = new Map<string, Promise<CachedRepresentation>>();
  #revision: string | undefined;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #check: Promise<void> | undefined;

  constructor(
    private readonly revision: () => Promise<string>,
    maxBytes = MAX_CACHE_BYTES,
  ) {
    this.#cached = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ before, after }, key) => ENTRY_OVERHEAD_BYTES + key.length * 2 + before.length + after.length,
    });
  }

  /**
   * Returns undefined if the response is not cached, or if the last check of the revision is more than a second old.
   */
  peek(key: string): CachedRepresentation | undefined {
    return performance.now() - this.#checkedAt > CHECK_INTERVAL_MS ? undefined : this.#cached.get(key);
  }

  async get(key: string, make: () => Promise<Representation>): Promise<CachedRepresentation> {
    if (performance.now() - this.#checkedAt > CHECK_INTERVAL_MS) {
      this.#check ??= this.#checkRevision();
      await (this.#cached.has(key) ? Promise.race([this.#check, sleep(CHECK_TIMEOUT_MS)]) : this.#check);
    }
    const known = this.#cached.get(key) ?? this.#pending.get(key);
    if (known) return known;
    const making = this.#make(key, make).finally(() => this.#pending.delete(key));
    this.#pending.set(key, making);
    return making;
  }

  async #make(key: string, make: () => Promise<Representation>): Promise<CachedRepresentation> {
    const revision = this.#revision;
    const representation = await make();
    const etag = representation.etag ?? etagOf(representation);
    const made = { ...representation, etag, headers: headersOf(representation, etag) };
    if (revision !== undefined && revision === this.#revision) this.#cached.set(key, made);
    return made;
  }

  async #checkRevision(): Promise<void> {
    try {
      const revision = await this.revision();
      if (revision !== this.#revision) {
        this.#cached.clear();
        this.#pending.clear();
      }
      this.#revision = revision;
    } catch {
      // A slightly stale response is better than an error. Without a cached response, the read itself fails.
    } finally {
      this.#checkedAt = performance.now();
      this.#check = undefined;
    }
  }
}

/** Returns a strong validator (RFC 9110, section 8.8.3) of the response without its request id. */
function etagOf({ before, after }: Representation): string {
  return `"${createHash('sha256').update(before).update('\n').update(after).digest('base64url').slice(0, 27)}"`;
}
