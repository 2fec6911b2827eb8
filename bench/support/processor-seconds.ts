import { readFileSync } from 'node:fs';

/**
 * Returns the CPU seconds of a process or a thread, from a file such as `/proc/1/stat`. Linux counts hundredths of a
 * second. The program name may contain any character and ends at the last parenthesis.
 */
export function processorSecondsOf(path: string): number {
  const stat = readFileSync(path, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // These are utime and stime of proc(5). The first two fields are not in `fields`.
  const [user, system] = [fields[11], fields[12]];
  return (Number(user) + Number(system)) / 100;
}
