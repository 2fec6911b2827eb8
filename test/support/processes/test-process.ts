import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PROJECT_ROOT } from '../../../src/kernel/project-root.js';

export interface TestProcess {
  readonly child: ChildProcess;
  /** All that it has printed so far. */
  output(): string;
  /** Resolves with the match once the output fits; throws if the process ends before. */
  prints(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves with the exit code, or the name of the signal, once all that it has printed is there. */
  ends(): Promise<number | string>;
}

/** What all processes of a run share: the code that one of them has compiled is there for the next. */
const OURS = { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.TEST_COMPILE_CACHE };

/** The service as its user starts it, or another program, by its path or that below `dist`, in a process group of its own. */
export function aProcess(
  env: Record<string, string>,
  program = 'src/main.js',
  args: readonly string[] = [],
): TestProcess {
  const child = spawn(process.execPath, ['--enable-source-maps', resolve(PROJECT_ROOT, 'dist', program), ...args], {
    env: {
      ...OURS,
      PORT: '0',
      SHUTDOWN_DELAY_SECONDS: '0',
      DATA_DIR: join(tmpdir(), `taproot-process-${process.pid}`),
      ...env,
    },
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

/** The address in the lines that the service prints when it is up. */
export async function addressOf(service: TestProcess): Promise<string> {
  const [, url] = await service.prints(/REST +(http:\/\/[^/]+)/);
  return url as string;
}
