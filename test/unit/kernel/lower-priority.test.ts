import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

const script = `
import { readdirSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { lowerPriority } from '${new URL('../../../src/kernel/concurrency/lower-priority.js', import.meta.url)}';
await stat('.'); // Starts the thread pool of libuv.
lowerPriority();
console.log(JSON.stringify(readdirSync('/proc/self/task').map((thread) => getPriority(Number(thread)))));`;

it.runIf(process.platform === 'linux')('lowers the CPU priority of all threads, not only of the main thread', () => {
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
  const priorities: number[] = JSON.parse(printed);
  expect(priorities.length).toBeGreaterThan(4);
  expect(new Set(priorities)).toEqual(new Set([10]));
});
