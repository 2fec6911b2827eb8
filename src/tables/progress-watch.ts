import { setTimeout as sleep } from 'node:timers/promises';
import { CsvFault } from '../csv/csv-fault.js';
import { noteProgress, type OpenPublication } from './publication-state.js';
import type { StagingProgress } from './stage-file.js';
import type { TableParts } from './table-context.js';

/** Milliseconds between two reports of how far it is. */
const REPORTED_EVERY = 1_000;

/** Tells how far a publication is, once a second, and learns that its tap was deleted. */
export class ProgressWatch {
  readonly #ended = new AbortController();
  readonly #stopped = new AbortController();
  readonly #telling: Promise<void>;
  #latest: StagingProgress | undefined;

  constructor(
    private readonly parts: TableParts,
    private readonly publication: OpenPublication,
  ) {
    this.#telling = this.#tell();
  }

  /** Aborted with a CsvFault where there is no use in going on. */
  get signal(): AbortSignal {
    return this.#stopped.signal;
  }

  note(progress: StagingProgress): void {
    this.#latest = progress;
  }

  async end(): Promise<void> {
    this.#ended.abort();
    await this.#telling;
  }

  async #tell(): Promise<void> {
    for (;;) {
      await sleep(REPORTED_EVERY, undefined, { signal: this.#ended.signal, ref: false }).catch(() => undefined);
      if (this.#ended.signal.aborted) return;
      // A database that is away shows in what needs it.
      if (this.#latest)
        await noteProgress(this.parts, this.publication, this.#latest).catch((error: unknown) => {
          if (error instanceof CsvFault) this.#stopped.abort(error);
        });
    }
  }
}
