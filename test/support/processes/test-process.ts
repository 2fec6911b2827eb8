import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PROJECT_ROOT } from '../../../src/kernel/project-root.js';

export interface TestProcess {
  readonly child: ChildProcess;
  output(): string;
  /** Returns the first match in the output. Throws if the process ends without a match. */
  prints(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves with the exit code or the name of the signal, after all output has arrived. */
  ends(): Promise<number | string>;
}

/** All processes of a test run share the cache of compiled code. */
const OURS = { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE };

/** The unbundled service. */
export const SHIPPED_SERVICE = resolve(PROJECT_ROOT, 'dist', 'src', 'main.js');

/** Prefers the bundle that a run of all tests creates for some programs. */
function pathOf(program: string): string {
  const bundled = process.env.BUNDLED_PROGRAMS && resolve(process.env.BUNDLED_PROGRAMS, program);
  return bundled && existsSync(bundled) ? bundled : resolve(PROJECT_ROOT, 'dist', program);
}

/** Starts a program in its own process group, by default the service. `program` is absolute or below `dist`. */
export function aProcess(
  env: Record<string, string>,
  program = 'src/main.js',
  args: readonly string[] = [],
  folder?: string,
): TestProcess {
  const child = spawn(process.execPath, [pathOf(program), ...args], {
    env: {
      ...OURS,
      PORT: '0',
      SHUTDOWN_DELAY_SECONDS: '0',
      DATA_DIR: join(tmpdir(), `taproot-process-${process.pid}`),
      ...env,
    },
    ...(folder && { cwd: folder }),
    detached: true,
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
  return {
    child,
    output: () => output,
    ends: () => ended,
    async prints(pattern) {
      for (;;) {
        const match = pattern.exec(output);
        if (match) return match;
        const code = await Promise.race([
          ended,
          new Promise<undefined>((resolve) => setTimeout(resolve, 20, undefined)),
        ]);
        if (code !== undefined && !pattern.test(output)) throw new Error(`ended with ${code}: ${output}`);
      }
    },
  };
}

export async function addressOf(service: TestProcess): Promise<string> {
  const [, url] = await service.prints(/REST +(http:\/\/[^/]+)/);
  return url as string;
}
