import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PROJECT_ROOT } from '../../src/kernel/project-root.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'taproot-signals-'));
  await chmod(folder, 0o755); // PostgreSQL may run as another user.
});
afterAll(() => rm(folder, { recursive: true }));

const childrenOf = async (pid: number): Promise<number[]> =>
  (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ').filter(Boolean).map(Number);

it.each<[signal: NodeJS.Signals, when: string, processes: number]>([
  ['SIGINT', 'while PostgreSQL starts', 0],
  ['SIGINT', 'while its service starts', 2],
  ['SIGTERM', 'while its service starts', 2],
])(
  'a benchmark that receives %s %s stops its processes and removes its folders',
  async (signal, _, processes) => {
    const program = join(PROJECT_ROOT, 'dist/bench/pull.js');
    const env = { PATH: process.env.PATH, TMPDIR: folder };
    const bench = spawn(process.execPath, [program, 'latency'], { env, stdio: 'ignore' });
    const exited = once(bench, 'exit');
    const pid = bench.pid as number;
    const isReady = async () => (await readdir(folder)).length > 0 && (await childrenOf(pid)).length >= processes;
    await expect.poll(isReady, { timeout: 100_000, interval: 20 }).toBe(true);
    const children = await childrenOf(pid);
    bench.kill(signal); // Signals only this process. A terminal would also signal its children.
    expect(await exited).toEqual([1, null]);
    for (const child of children) expect(() => process.kill(child, 0), String(child)).toThrow('ESRCH');
    expect(await readdir(folder)).toEqual([]);
  },
  200_000,
);
