import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../src/kernel/project-root.js';

/** Milliseconds between two measurements of the memory of a process. */
const MEMORY_POLL_MS = 50;

/** A server in a separate process whose memory is measured. */
export interface ServerProcess {
  readonly origin: string;
  /** Current resident memory in bytes. */
  memory(): number;
  /** Measures the resources that the server uses during `work`. */
  watch(work: () => Promise<void>): Promise<ResourceUsage>;
  stop(): Promise<void>;
}

export interface ResourceUsage {
  /** Peak resident memory in bytes. */
  readonly peak: number;
  readonly seconds: number;
  /** CPU seconds, which on a busy machine are more reliable than elapsed time. */
  readonly processor: number;
}

/** Starts a program of `dist` and waits until it prints its address, the first group of `pattern`. */
export async function startServerProcess(
  program: string,
  { pattern, env = {}, args = [] }: { pattern: RegExp; env?: Record<string, string>; args?: readonly string[] },
): Promise<ServerProcess> {
  const child = spawn(process.execPath, ['--enable-source-maps', join(PROJECT_ROOT, 'dist', program), ...args], {
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
      const timer = setInterval(() => (peak = Math.max(peak, memory())), MEMORY_POLL_MS);
      const startedAt = performance.now();
      const spentBefore = processorSeconds(child.pid as number);
      try {
        await work();
        const processor = processorSeconds(child.pid as number) - spentBefore;
        return { peak, seconds: (performance.now() - startedAt) / 1000, processor };
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

/** Linux's figure for the process; includes pages that it shares with other processes. */
function residentMemory(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

/** Linux counts hundredths of a second. The program name may contain any character and ends at the last parenthesis. */
function processorSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = [fields[11], fields[12]]; // utime and stime of proc(5), whose first two fields are cut off
  return (Number(user) + Number(system)) / 100;
}
