import { join } from 'node:path';
import { readThreadProfile, secondsPerStage } from '../support/cpu-profile.js';
import { type PublishTarget, publishFile } from './publish-file.js';

/** The first match applies. */
const STAGES: readonly (readonly [path: string, stage: string])[] = [
  ['/csv/encoding/', 'decode bytes'],
  ['/csv/records/', 'split into values'],
  ['/csv/', 'check and convert values'],
  ['/tables/staging/staging-area.js', 'check limits of the columns'],
  ['/tables/staging/column-type.js', 'check limits of the columns'],
  ['/tables/staging/', 'write the staging file'],
];

export async function printPublishProfile(target: PublishTarget): Promise<void> {
  const folder = join(target.folder, 'profiles');
  const { processor, threads } = await publishFile({
    ...target,
    nodeArgs: ['--cpu-prof', '--cpu-prof-dir', folder, '--cpu-prof-interval', '500'],
  });
  const megabytes = target.size / 1e6;
  printHeading(`CPU time by thread, for ${megabytes.toFixed(0)} MB with the profiler`, 'thread');
  for (const [name, seconds] of threads) printShare(name, seconds, processor, megabytes);
  const profile = readThreadProfile(folder, '/staging-worker.js');
  const stages = secondsPerStage(profile, (url) => STAGES.find(([path]) => url.includes(path))?.[1]);
  const busy = stages.filter(([stage]) => stage !== 'idle');
  const total = busy.reduce((sum, [, seconds]) => sum + seconds, 0);
  printHeading('CPU time of the thread that reads the file, by stage', 'stage');
  for (const [stage, seconds] of busy) printShare(stage, seconds, total, megabytes);
}

function printHeading(title: string, name: string): void {
  console.log(`\n${title}\n${name.padEnd(40)}${'share'.padStart(6)}${'MB/s if alone'.padStart(15)}`);
}

function printShare(name: string, seconds: number, total: number, megabytes: number): void {
  if (seconds * 100 < total) return;
  const share = `${((100 * seconds) / total).toFixed(0)} %`.padStart(6);
  console.log(`${name.padEnd(40)}${share}${(megabytes / seconds).toFixed(0).padStart(15)}`);
}
