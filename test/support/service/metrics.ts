import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Returns the metrics whose names start with `prefix`, as values by series. The service renders them after the call.
 */
export async function freshMetrics(
  { metricsUrl }: { metricsUrl: string },
  prefix: string,
): Promise<ReadonlyMap<string, number>> {
  await sleep(1_000); // Requests within 1 second share a rendering.
  const text = await (await fetch(metricsUrl)).text();
  const lines = text.split('\n').filter((line) => line.startsWith(prefix));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
}
