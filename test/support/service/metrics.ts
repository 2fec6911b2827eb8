import { setTimeout as sleep } from 'node:timers/promises';

/** Metrics whose names start with `prefix`: values by series, rendered after the call. */
export async function freshMetrics(
  { metricsUrl }: { metricsUrl: string },
  prefix: string,
): Promise<ReadonlyMap<string, number>> {
  await sleep(1_000); // a rendering is shared for 1 second
  const text = await (await fetch(metricsUrl)).text();
  const lines = text.split('\n').filter((line) => line.startsWith(prefix));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
}
