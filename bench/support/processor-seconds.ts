import { readFileSync } from 'node:fs';

/**
 * CPU seconds in a file such as `/proc/1/stat`, of a process or a thread. Linux counts hundredths of a second. The
 * program name may contain any character and ends at the last parenthesis.
 */
export function processorSecondsOf(path: string): number {
  const stat = readFileSync(path, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = [fields[11], fields[12]]; // utime and stime of proc(5), whose first two fields are cut off
  return (Number(user) + Number(system)) / 100;
}
