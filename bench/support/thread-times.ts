import { readdirSync, readFileSync } from 'node:fs';
import { processorSecondsOf } from './processor-seconds.js';

/** CPU seconds of the threads of a process. An ended thread counts up to the last `sample` before its end. */
export class ThreadTimes {
  readonly #threads = new Map<string, { name: string; first: number; last: number }>();

  constructor(private readonly pid: number) {
    this.sample();
    for (const thread of this.#threads.values()) thread.first = thread.last;
  }

  sample(): void {
    const folder = `/proc/${this.pid}/task`;
    for (const id of readdirSync(folder)) {
      try {
        const name = readFileSync(`${folder}/${id}/comm`, 'utf8').trim();
        const last = processorSecondsOf(`${folder}/${id}/stat`);
        const first = this.#threads.get(id)?.first ?? 0;
        this.#threads.set(id, { name, first, last });
      } catch (error) {
        if (!isEnded(error)) throw error;
      }
    }
  }

  /**
   * Returns the CPU seconds since the creation of this object, as one sum per thread name. The highest sum comes first.
   */
  byName(): [name: string, seconds: number][] {
    const seconds = new Map<string, number>();
    for (const { name, first, last } of this.#threads.values())
      seconds.set(name, (seconds.get(name) ?? 0) + last - first);
    return [...seconds].sort(([, a], [, b]) => b - a);
  }
}

/** If a thread ends during the read, Linux reports a missing file or a missing process. */
function isEnded(error: unknown): boolean {
  return ['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '');
}
