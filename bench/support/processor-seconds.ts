import { readFileSync } from 'node:fs';

/**
 * `path` is a file such as `/proc/1/stat`, of a process or a thread. The file contains times in hundredths of a second.
 * The name of the program may contain spaces, and ends at the last parenthesis.
 */
export function processorSecondsOf(path: string): number {
  const stat = readFileSync(path, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // utime and stime of proc(5). `fields` lacks the first two fields.
  const [user, system] = [fields[11], fields[12]];
  return (Number(user) + Number(system)) / 100;
}
