import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** The start time distinguishes the process from a later process with the same id. */
export async function findProcess(pid: string): Promise<{ started: string; command: string } | undefined> {
  if (!/^\d+$/.test(pid)) return undefined;
  try {
    // Slim container images lack ps, so the service reads /proc on Linux.
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
    // Exit code 1 of ps, ENOENT and ESRCH mean that no process has this id. After any other error, such as too many
    // open files, the process may exist.
    if (['ENOENT', 'ESRCH', 1].includes((error as { code: string | number }).code)) return undefined;
    throw error;
  }
}
