import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Representation } from './envelope.js';

export interface Cached extends Representation {
  readonly etag: string;
}

const MAX_BYTES = 64 * 1024 * 1024;

/** How long, in milliseconds, a change made by another process may stay unseen. */
const CHECK_INTERVAL = 1_000;

/**
 * Finished replies of public reads, kept for as long as the catalog's revision stays. The revision is asked for once a
 * second at the most, and while it cannot be had (the database is away) what is kept goes on being served.
 */
export class RepresentationCache {
  readonly #kept = new LRUCache<string, Cached>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ before, after }) => before.length + after.length,
  });
  #revision: string | undefined;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #check: Promise<void> | undefined;

  constructor(private readonly revision: () => Promise<string>) {}

  /** The kept reply, or a new one that is kept from now on. */
  async get(key: string, make: () => Promise<Representation>): Promise<Cached> {
    if (performance.now() - this.#checkedAt > CHECK_INTERVAL) await (this.#check ??= this.#checkRevision());
    const kept = this.#kept.get(key);
    if (kept) return kept;
    const revision = this.#revision;
    const representation = await make();
    const made = { ...representation, etag: etagOf(representation) };
    if (revision !== undefined && revision === this.#revision) this.#kept.set(key, made);
    return made;
  }

  async #checkRevision(): Promise<void> {
    try {
      const revision = await this.revision();
      if (revision !== this.#revision) this.#kept.clear();
      this.#revision = revision;
    } catch {
      // Serving what was true a moment ago beats serving nothing; a reply that is not kept will fail by itself.
    } finally {
      this.#checkedAt = performance.now();
      this.#check = undefined;
    }
  }
}

/** Strong validator (RFC 9110, section 8.8.3) over all of the reply but its request id. */
export function etagOf({ before, after }: Representation): string {
  return `"${createHash('sha256').update(before).update(after).digest('base64url').slice(0, 27)}"`;
}
