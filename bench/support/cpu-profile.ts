import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Times are in microseconds. */
interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: readonly number[];
}

/** Returns the profile of the thread that ran `file`. `folder` is the value of `--cpu-prof-dir`. */
export function readThreadProfile(folder: string, file: string): CpuProfile {
  for (const name of readdirSync(folder)) {
    const profile = JSON.parse(readFileSync(join(folder, name), 'utf8')) as CpuProfile;
    if (profile.nodes.some(({ callFrame }) => callFrame.url.endsWith(file))) return profile;
  }
  throw new Error(`no profile in ${folder} contains ${file}`);
}

/** `stageOf` returns the stage of a file by its URL, or undefined if the stage of the calling function applies. */
export function secondsPerStage(
  { nodes, samples, timeDeltas }: CpuProfile,
  stageOf: (url: string) => string | undefined,
): [stage: string, seconds: number][] {
  const stages = new Map<number, string>();
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  // Each node follows its parent in the list.
  for (const { id, callFrame } of nodes) {
    const own = /^\((garbage collector|idle)\)$/.exec(callFrame.functionName)?.[1];
    const inherited = stages.get(parents.get(id) ?? Number.NaN);
    stages.set(id, own ?? stageOf(callFrame.url) ?? inherited ?? 'runtime');
  }
  const seconds = new Map<string, number>();
  samples.forEach((id, nth) => {
    const stage = stages.get(id) as string;
    seconds.set(stage, (seconds.get(stage) ?? 0) + (timeDeltas[nth] ?? 0) / 1e6);
  });
  return [...seconds].sort(([, a], [, b]) => b - a);
}
