import { setTimeout as sleep } from 'node:timers/promises';

/** Returns the current values of all metrics whose names start with `prefix`, by name and labels. */
export async function freshMetrics(
  { metricsUrl }: { metricsUrl: string },
  prefix: string,
): Promise<ReadonlyMap<string, number>> {
  await sleep(1_000); // The service renders metrics at most once per second.
  const text = await (await fetch(metricsUrl)).text();
  const lines = text.split('\n').filter((line) => line.startsWith(prefix));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
}
