import { setTimeout as sleep } from 'node:timers/promises';
import { CsvError } from '../../csv/model/csv-error.js';
import type { StagingProgress } from '../staging/stage-csv-file.js';
import type { TableServices } from '../table-context.js';
import { type OpenPublication, saveProgress } from './publication-state.js';

/** Milliseconds between two reports of how far it is. */
const REPORT_INTERVAL_MS = 1_000;

/** Tells how far a publication is, once a second, and learns that its tap was deleted. */
export class ProgressReporter {
  readonly #ended = new AbortController();
  readonly #stopped = new AbortController();
  readonly #telling: Promise<void>;
  #latest: StagingProgress | undefined;

  constructor(
    private readonly parts: TableServices,
    private readonly publication: OpenPublication,
  ) {
    this.#telling = this.#tell();
  }

  /** Aborted with a CsvFault where there is no use in going on. */
  get signal(): AbortSignal {
    return this.#stopped.signal;
  }

  update(progress: StagingProgress): void {
    this.#latest = progress;
  }

  async end(): Promise<void> {
    this.#ended.abort();
    await this.#telling;
  }

  async #tell(): Promise<void> {
    for (;;) {
      await sleep(REPORT_INTERVAL_MS, undefined, { signal: this.#ended.signal, ref: false }).catch(() => undefined);
      if (this.#ended.signal.aborted) return;
      // A database that is away shows in what needs it.
      if (this.#latest)
        await saveProgress(this.parts, this.publication, this.#latest).catch((error: unknown) => {
          if (error instanceof CsvError) this.#stopped.abort(error);
        });
    }
  }
}
