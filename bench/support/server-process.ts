import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../src/kernel/project-root.js';
import { processorSecondsOf } from './processor-seconds.js';
import { ThreadTimes } from './thread-times.js';

const MEMORY_POLL_MS = 50;

export interface ServerProcess {
  readonly origin: string;
  /** Resident memory in bytes. */
  memory(): number;
  watch(work: () => Promise<void>): Promise<ResourceUsage>;
  stop(): Promise<void>;
}

export interface ResourceUsage {
  /** Peak resident memory in bytes. */
  readonly peak: number;
  readonly seconds: number;
  /** CPU seconds, which are more reliable than elapsed time on a busy machine. */
  readonly processor: number;
  /** CPU seconds by thread name. */
  readonly threads: [name: string, seconds: number][];
}

interface ServerOptions {
  readonly pattern: RegExp;
  readonly env?: Record<string, string>;
  readonly args?: readonly string[];
  readonly nodeArgs?: readonly string[];
}

/** Starts a program of `dist`. Waits until the program prints its URL, the first group of `pattern`. */
export async function startServerProcess(
  program: string,
  { pattern, env = {}, args = [], nodeArgs = [] }: ServerOptions,
): Promise<ServerProcess> {
  const path = join(PROJECT_ROOT, 'dist', program);
  const child = spawn(process.execPath, ['--enable-source-maps', ...nodeArgs, path, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const origin = await printed(child, pattern);
  const memory = (): number => residentMemory(child.pid as number);
  return {
    origin,
    memory,
    async watch(work) {
      let peak = memory();
      const threads = new ThreadTimes(child.pid as number);
      const timer = setInterval(() => {
        peak = Math.max(peak, memory());
        threads.sample();
      }, MEMORY_POLL_MS);
      const startedAt = performance.now();
      const stat = `/proc/${child.pid}/stat`;
      const spentBefore = processorSecondsOf(stat);
      try {
        await work();
        const processor = processorSecondsOf(stat) - spentBefore;
        threads.sample();
        return { peak, seconds: (performance.now() - startedAt) / 1000, processor, threads: threads.byName() };
      } finally {
        clearInterval(timer);
      }
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

async function printed(child: ChildProcess, pattern: RegExp): Promise<string> {
  let output = '';
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      output = `${output}${chunk}`.slice(-10_000);
      const [, origin] = pattern.exec(output) ?? [];
      if (origin) resolve(origin);
    });
    child.once('exit', () => reject(new Error(`a server exited during its start:\n${output}`)));
  });
}

/** Includes pages that the process shares with other processes. */
function residentMemory(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}
