import { medianOf } from './median-of.js';

/**
 * Runs all functions once per round, so that other work on the machine affects them equally. The first round does not
 * count.
 */
export async function medianSeconds<Name extends string>(
  work: Readonly<Record<Name, () => unknown>>,
  rounds: number,
): Promise<Record<Name, number>> {
  const all = Object.entries(work) as [Name, () => unknown][];
  const seconds = new Map(all.map(([name]) => [name, [] as number[]]));
  for (let round = 0; round <= rounds; round++) {
    for (const [name, run] of all) {
      const startedAt = performance.now();
      await run();
      if (round > 0) seconds.get(name)?.push((performance.now() - startedAt) / 1000);
    }
  }
  return Object.fromEntries([...seconds].map(([name, ofRounds]) => [name, medianOf(ofRounds)])) as Record<Name, number>;
}
