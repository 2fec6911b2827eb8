import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { FileStoreError } from '../../kernel/files/file-store.js';
import { PROJECT_ROOT } from '../../kernel/project-root.js';
import type { StagingRequest, StagingResponse, StagingTask } from './staging-worker.js';

/** Of the compiled copy, from the sources too: a thread starts without whatever compiles them. */
const WORKER_PATH = join(PROJECT_ROOT, 'dist', 'src', 'tables', 'staging', 'staging-worker.js');

type Progress = Exclude<StagingResponse, { storingFailed: unknown }>;

/** A thread of its own that turns the bytes of a CSV file into staged rows, so that requests do not wait for it. */
export class StagingThread {
  readonly #worker: Worker;
  readonly #waiting: PromiseWithResolvers<Progress>[] = [];
  #failure: unknown;

  constructor(task: StagingTask) {
    this.#worker = new Worker(WORKER_PATH, { workerData: task, resourceLimits: { maxOldGenerationSizeMb: 512 } });
    this.#worker.on('message', (reply: StagingResponse) => this.#take(reply));
    this.#worker.on('error', (error) => this.#fail(error));
    this.#worker.on('exit', () => this.#fail(new Error('a thread that reads a file has ended')));
  }

  /** Resolves once these bytes are read. They may be taken away from the caller. Throws `FileStoreError`. */
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
    else this.#waiting.shift()?.resolve(reply);
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
  }
}
