import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Representation } from './envelope.js';

export interface Kept extends Representation {
  readonly etag: string;
}

const MAX_BYTES = 64 * 1024 * 1024;

/** What an entry takes beside its bytes. */
const ENTRY_BYTES = 512;

/** How long, in milliseconds, a change made by another process may stay unseen. */
const CHECK_INTERVAL = 1_000;

/** How long a reply that is kept waits for the check. */
const CHECK_PATIENCE = 250;

/**
 * Finished replies of public reads, kept for as long as the catalog's revision stays. The revision is asked for once a
 * second at the most, and while it cannot be had (the database is away) what is kept goes on being served.
 */
export class RepresentationCache {
  readonly #kept = new LRUCache<string, Kept>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ before, after }, key) => ENTRY_BYTES + key.length * 2 + before.length + after.length,
  });
  /** Replies in the making, so that many who ask at once cause one read. */
  readonly #making = new Map<string, Promise<Kept>>();
  #revision: string | undefined;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #check: Promise<void> | undefined;

  constructor(private readonly revision: () => Promise<string>) {}

  /** The kept reply, or a new one that is kept from now on. */
  async get(key: string, make: () => Promise<Representation>): Promise<Kept> {
    if (performance.now() - this.#checkedAt > CHECK_INTERVAL) {
      this.#check ??= this.#checkRevision();
      await (this.#kept.has(key) ? Promise.race([this.#check, sleep(CHECK_PATIENCE)]) : this.#check);
    }
    const known = this.#kept.get(key) ?? this.#making.get(key);
    if (known) return known;
    const making = this.#make(key, make).finally(() => this.#making.delete(key));
    this.#making.set(key, making);
    return making;
  }

  async #make(key: string, make: () => Promise<Representation>): Promise<Kept> {
    const revision = this.#revision;
    const representation = await make();
    const made = { ...representation, etag: representation.etag ?? etagOf(representation) };
    if (revision !== undefined && revision === this.#revision) this.#kept.set(key, made);
    return made;
  }

  async #checkRevision(): Promise<void> {
    try {
      const revision = await this.revision();
      if (revision !== this.#revision) {
        this.#kept.clear();
        this.#making.clear();
      }
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
function etagOf({ before, after }: Representation): string {
  return `"${createHash('sha256').update(before).update('\n').update(after).digest('base64url').slice(0, 27)}"`;
}
