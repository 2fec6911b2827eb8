import type { Failure } from '../ui/describe-error.js';
import { UploadError, type UploadedFile, type UploadFile } from './upload-file.js';

export interface Upload {
  readonly id: number;
  readonly file: File;
  /**
   * `sending`: the browser still sends bytes. `storing`: the browser has sent all bytes and waits for the response.
   * `following`: the `AfterUpload` function runs.
   */
  readonly state: 'waiting' | 'sending' | 'storing' | 'following' | 'done' | 'failed';
  readonly sentBytes: number;
  readonly artifactId?: string;
  readonly failure?: Failure;
}

/** An action that runs after the service has stored the file. Returns the failure of the action, if any. */
export type AfterUpload = (stored: UploadedFile) => Promise<Failure | undefined>;

/** Further concurrent uploads would only share the same bandwidth. */
const MAX_CONCURRENT_UPLOADS = 2;

const ENDED: readonly Upload['state'][] = ['done', 'failed'];

/** Uploads continue while the user opens other pages. */
export class UploadQueue {
  #uploads: readonly Upload[] = [];
  readonly #after = new Map<number, AfterUpload>();
  readonly #cancellers = new Map<number, AbortController>();
  readonly #listeners = new Set<() => void>();
  #nextId = 1;

  constructor(private readonly uploadFile: UploadFile) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Returns the same array until an upload changes, because React compares the arrays. */
  readonly uploads = (): readonly Upload[] => this.#uploads;

  add(files: Iterable<File>, after: AfterUpload): void {
    for (const file of files) {
      const id = this.#nextId++;
      this.#after.set(id, after);
      this.#uploads = [...this.#uploads, { id, file, state: 'waiting', sentBytes: 0 }];
    }
    this.#startNext();
  }

  /** Must be called before the browser has sent the whole file. Afterwards, the service may already have stored it. */
  cancel(id: number): void {
    this.#cancellers.get(id)?.abort();
    this.#remove((upload) => upload.id === id);
  }

  retry(id: number): void {
    this.#change(id, { state: 'waiting', sentBytes: 0 });
    this.#startNext();
  }

  removeEnded(): void {
    this.#remove(({ state }) => ENDED.includes(state));
  }

  #startNext(): void {
    const running = this.#uploads.filter(({ state }) => state !== 'waiting' && !ENDED.includes(state));
    const waiting = this.#uploads.filter(({ state }) => state === 'waiting');
    for (const upload of waiting.slice(0, Math.max(0, MAX_CONCURRENT_UPLOADS - running.length))) void this.#run(upload);
    this.#announce();
  }

  async #run({ id, file }: Upload): Promise<void> {
    const canceller = new AbortController();
    this.#cancellers.set(id, canceller);
    this.#change(id, { state: 'sending' });
    try {
      const stored = await this.uploadFile(file, {
        signal: canceller.signal,
        onProgress: (sentBytes) =>
          this.#change(id, { sentBytes, state: sentBytes < file.size ? 'sending' : 'storing' }),
      });
      this.#change(id, { state: 'following', sentBytes: file.size, artifactId: stored.id });
      const failure = await this.#after.get(id)?.(stored);
      this.#change(id, failure ? { state: 'failed', failure } : { state: 'done' });
    } catch (error) {
      const { message } = error as Error;
      const failure = error instanceof UploadError ? error.failure : { message, code: undefined, requestId: undefined };
      this.#change(id, { state: 'failed', failure });
    }
    this.#startNext();
  }

  #change(id: number, part: Partial<Upload>): void {
    this.#uploads = this.#uploads.map((upload) => (upload.id === id ? { ...upload, ...part } : upload));
    this.#announce();
  }

  #remove(matches: (upload: Upload) => boolean): void {
    this.#uploads = this.#uploads.filter((upload) => !matches(upload));
    this.#announce();
  }

  #announce(): void {
    for (const listener of this.#listeners) listener();
  }
}
