import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { CsvError } from '../../csv/model/csv-error.js';
import { FileStoreError } from '../../kernel/files/file-store.js';
import { PROJECT_ROOT } from '../../kernel/project-root.js';
import type { StagingRequest, StagingResponse, StagingTask } from './staging-worker.js';

/**
 * Path of the compiled file. The thread needs it even if the service runs from TypeScript, because worker threads start
 * without the TypeScript loader.
 */
const WORKER_PATH = join(PROJECT_ROOT, 'dist', 'src', 'tables', 'staging', 'staging-worker.js');

/** A larger young generation would take more memory and save no time. */
const MEMORY_LIMITS = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 24 };

type Progress = Exclude<StagingResponse, { storingFailed: unknown } | { unreadable: unknown }>;

/** Worker thread that stages the rows of a CSV file, so that the event loop remains free for requests. */
export class StagingThread {
  readonly #worker: Worker;
  readonly #waiting: PromiseWithResolvers<Progress>[] = [];
  #failure: unknown;

  constructor(task: StagingTask) {
    this.#worker = new Worker(WORKER_PATH, { workerData: task, resourceLimits: MEMORY_LIMITS });
    this.#worker.on('message', (reply: StagingResponse) => this.#take(reply));
    this.#worker.on('error', (error) => this.#fail(error));
    this.#worker.on('exit', () => this.#fail(new Error('the staging thread has exited')));
  }

  /**
   * Resolves when the thread has read the bytes. May transfer the buffer, so the caller must not use it afterwards.
   * Throws `FileStoreError`. Throws `CsvError` for a file without a readable table.
   */
  send(request: StagingRequest): Promise<Progress> {
    if (this.#failure) return Promise.reject(this.#failure);
    const reply = Promise.withResolvers<Progress>();
    this.#waiting.push(reply);
    const isOwn = request instanceof Uint8Array && request.byteLength === request.buffer.byteLength;
    this.#worker.postMessage(request, isOwn ? [request.buffer as ArrayBuffer] : []);
    return reply.promise;
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #take(reply: StagingResponse): void {
    if ('storingFailed' in reply)
      this.#fail(new FileStoreError(reply.storingFailed, { cause: new Error(reply.cause) }));
    else if ('unreadable' in reply) this.#fail(new CsvError(reply.unreadable, reply.message));
    else this.#waiting.shift()?.resolve(reply);
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
  }
}
