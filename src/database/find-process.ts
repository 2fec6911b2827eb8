import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * Finds a process by id. Returns its start time as well, which distinguishes the process from a later process with the
 * same id.
 */
export async function findProcess(pid: string): Promise<{ started: string; command: string } | undefined> {
  if (!/^\d+$/.test(pid)) return undefined;
  try {
    // Slim container images have /proc, but not ps.
    if (process.platform !== 'linux') {
      const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
      const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'lstart=,command=', '-p', pid], { env });
      return { started: stdout.slice(0, 24), command: stdout.slice(24) };
    }
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const started = state === 'Z' ? 'zombie' : `${fields[18]}`;
    return { started, command: await readFile(`/proc/${pid}/cmdline`, 'utf8') };
  } catch (error) {
    // If the process has ended, ps exits with 1. Any other error, such as too many open files, does not mean that the
    // process has ended.
    if (['ENOENT', 'ESRCH', 1].includes((error as { code: string | number }).code)) return undefined;
    throw error;
  }
}
