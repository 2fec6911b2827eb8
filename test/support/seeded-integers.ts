/** Lehmer generator of integers below `bound`, with the constants of Park and Miller. */
export function seededInteger(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % bound;
  };
}

export function shuffled<Item>(items: readonly Item[], below: (bound: number) => number): Item[] {
  const shuffling = [...items];
  for (let at = shuffling.length - 1; at > 0; at--) {
    const other = below(at + 1);
    [shuffling[at], shuffling[other]] = [shuffling[other] as Item, shuffling[at] as Item];
  }
  return shuffling;
}
