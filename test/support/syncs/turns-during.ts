/** Number of turns of the event loop until the work ends. */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let timer = setImmediate(count);
  function count(): void {
    turns += 1;
    timer = setImmediate(count);
  }
  try {
    await work();
    return turns;
  } finally {
    clearImmediate(timer);
  }
}
