import autocannon, { type Result } from 'autocannon';
import { medianOf } from './median-of.js';

export interface LoadTarget {
  readonly name: string;
  readonly url: string;
  /** With a body, the request is a POST, otherwise a GET. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface RoundFigures {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /**
   * CPU time of the main thread per request, in microseconds. Includes the work of a target that runs in this process.
   */
  readonly threadMicros: number;
}

export interface LoadFigures extends RoundFigures {
  readonly rounds: readonly RoundFigures[];
}

export interface LoadProfile {
  readonly warmUp: number;
  readonly seconds: number;
  readonly rounds: number;
  /** Defaults to 16. */
  readonly connections?: number;
  /**
   * Whether to measure fractions of a millisecond. The main thread then sends the requests, so the targets must run in
   * other processes. Otherwise, a separate thread sends the requests, and counts only whole milliseconds.
   */
  readonly isFine?: boolean;
}

const DEFAULT_CONNECTIONS = 16;

/**
 * Alternates between the targets, and reverses their order in every second round, so that other work on the machine
 * affects all targets equally.
 */
export async function measureLoad<Key extends string>(
  targets: Readonly<Record<Key, LoadTarget>>,
  pace: LoadProfile,
): Promise<Record<Key, LoadFigures>> {
  const all = Object.entries(targets) as [Key, LoadTarget][];
  const figures = new Map(all.map(([key]) => [key, [] as RoundFigures[]]));
  for (const [, target] of all) await load(target, pace.warmUp, pace);
  for (let round = 0; round < pace.rounds; round++) {
    for (const [key, target] of round % 2 ? all.toReversed() : all)
      figures.get(key)?.push(await load(target, pace.seconds, pace));
  }
  return Object.fromEntries([...figures].map(([key, ofRounds]) => [key, medianFigures(ofRounds)])) as Record<
    Key,
    LoadFigures
  >;
}

/**
 * Computes one ratio per round, and returns the median of the ratios. Other work on the machine affects this median
 * less than it would affect the ratio of two medians.
 */
export function ratioOf(one: LoadFigures, to: LoadFigures): number {
  return medianOf(one.rounds.map(({ perSecond }, at) => perSecond / (to.rounds[at] as RoundFigures).perSecond));
}

async function load(
  { name, url, body, headers }: LoadTarget,
  seconds: number,
  { connections = DEFAULT_CONNECTIONS, isFine = false }: LoadProfile,
): Promise<RoundFigures> {
  const json = { ...headers, 'content-type': 'application/json' };
  const post = { method: 'POST', headers: json, body } as const;
  const before = process.threadCpuUsage();
  const options = {
    url,
    ...(headers && { headers: { ...headers } }),
    ...(body !== undefined && post),
    connections,
    duration: seconds,
    ...(!isFine && { workers: 1 }),
  };
  const times: number[] = [];
  const result = await new Promise<Result>((resolve, reject) => {
    const running = autocannon(options, (error, all) => (error ? reject(error) : resolve(all)));
    if (isFine) running.on('response', (_client, _status, _bytes, milliseconds) => times.push(milliseconds));
  });
  const { errors, timeouts, non2xx, latency } = result;
  if (errors + timeouts + non2xx > 0) throw new Error(`${name}: ${errors + timeouts + non2xx} requests failed`);
  const { user, system } = process.threadCpuUsage(before);
  const threadMicros = (user + system) / result['2xx'];
  const sorted = times.sort((one, other) => one - other);
  const timeOf = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] as number;
  const { p50, p99 } = isFine ? { p50: timeOf(0.5), p99: timeOf(0.99) } : latency;
  return { perSecond: result['2xx'] / result.duration, p50, p99, threadMicros };
}

function medianFigures(rounds: readonly RoundFigures[]): LoadFigures {
  const of = (key: keyof RoundFigures): number => medianOf(rounds.map((one) => one[key]));
  return {
    ...{ perSecond: of('perSecond'), p50: of('p50'), p99: of('p99') },
    threadMicros: of('threadMicros'),
    rounds,
  };
}
