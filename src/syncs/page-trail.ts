import { TapReadError } from './tap-read-error.js';

/** Digests of earlier pages of a slice. The service compares the next page with them. */
export interface PageTrail {
  readonly last: string;
  readonly marked: string;
  /** Number of pages after the marked page. */
  readonly pages: number;
  /** Number of pages after which the mark moves to the latest page. */
  readonly limit: number;
}

/**
 * Throws `TapReadError` with class `contract` if the source repeats its pages endlessly. Compares each page with the
 * previous page and a marked page. Marks another page after 1, 2, 4, … pages, and therefore finds a cycle of any length
 * after a few repetitions (Brent, https://maths-people.anu.edu.au/~brent/pd/rpb051i.pdf).
 */
export function extendTrail(trail: PageTrail | undefined, digest: string): PageTrail {
  if (!trail) return { last: digest, marked: digest, pages: 0, limit: 1 };
  if (digest === trail.last || digest === trail.marked)
    throw new TapReadError('contract', 'fail_tap', 'The source returned the same page twice.');
  const { marked, limit } = trail;
  const pages = trail.pages + 1;
  return pages < limit
    ? { last: digest, marked, pages, limit }
    : { last: digest, marked: digest, pages: 0, limit: 2 * limit };
}
