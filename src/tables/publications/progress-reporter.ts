import { setTimeout as sleep } from 'node:timers/promises';
import { CsvError } from '../../csv/model/csv-error.js';
import type { StagingProgress } from '../staging/stage-csv-file.js';
import type { TableServices } from '../table-context.js';
import { type OpenPublication, saveProgress } from './publication-state.js';

const REPORT_INTERVAL_MS = 1_000;

/** Saves the progress of a publication once a second, and detects that the tap was deleted. */
export class ProgressReporter {
  readonly #ended = new AbortController();
  readonly #stopped = new AbortController();
  readonly #reporting: Promise<void>;
  #latest: StagingProgress | undefined;

  constructor(
    private readonly services: TableServices,
    private readonly publication: OpenPublication,
  ) {
    this.#reporting = this.#report();
  }

  /** Aborted with a `CsvError` if the publication can no longer succeed. */
  get signal(): AbortSignal {
    return this.#stopped.signal;
  }

  update(progress: StagingProgress): void {
    this.#latest = progress;
  }

  async end(): Promise<void> {
    this.#ended.abort();
    await this.#reporting;
  }

  async #report(): Promise<void> {
    for (;;) {
      await sleep(REPORT_INTERVAL_MS, undefined, { signal: this.#ended.signal, ref: false }).catch(() => undefined);
      if (this.#ended.signal.aborted) return;
      // Database errors need no handler here, because the publication itself fails with the same errors.
      if (this.#latest)
        await saveProgress(this.services, this.publication, this.#latest).catch((error: unknown) => {
          if (error instanceof CsvError) this.#stopped.abort(error);
        });
    }
  }
}
