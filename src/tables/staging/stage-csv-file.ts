import type { StagedFiles } from './staging-area.js';
import { StagingThread } from './staging-thread.js';
import type { StagingTask } from './staging-worker.js';

export interface StagingProgress {
  /** Number of bytes of the file that the thread has read. */
  readonly bytesRead: number;
  readonly rows: number;
  readonly rejectedRows: number;
}

interface StagingHandlers {
  /** Called after every chunk of the file. */
  readonly progress: (soFar: StagingProgress) => void;
  /** Called with one section of staged rows at a time, in order. The thread stages the next section during the call. */
  readonly section: (section: StagedFiles) => Promise<void>;
}

/** Number of chunks that the service sends ahead, so that the thread never waits for input. */
const MAX_CHUNKS_IN_FLIGHT = 4;

/**
 * Stages the rows of a CSV file in a worker thread, in constant memory. If the handler `section` removes the staged
 * files, the disk space is constant, too. Throws errors of `bytes` and of the handlers, `FileStoreError`, the abort
 * reason of the signal, and `CsvError` WA-AF-011 for a file without a readable table.
 */
export async function stageCsvFile(
  bytes: AsyncIterable<Buffer>,
  task: StagingTask,
  handlers: StagingHandlers,
  signal: AbortSignal,
): Promise<StagingProgress> {
  const thread = new StagingThread(task);
  const aborted = Promise.withResolvers<never>();
  aborted.promise.catch(() => undefined);
  const abort = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort);
  let soFar: StagingProgress = { bytesRead: 0, rows: 0, rejectedRows: 0 };
  let sectionDone = Promise.resolve();
  const send = async (piece: Buffer | 'end'): Promise<void> => {
    const length = piece === 'end' ? 0 : piece.length;
    const { rows, rejectedRows, section } = await thread.send(piece);
    soFar = { bytesRead: soFar.bytesRead + length, rows, rejectedRows };
    handlers.progress(soFar);
    if (!section) return;
    await sectionDone;
    sectionDone = handlers.section(section);
    sectionDone.catch(() => undefined); // The next `await sectionDone` throws the error.
  };
  const stage = async (): Promise<StagingProgress> => {
    const sent: Promise<void>[] = [];
    for await (const piece of bytes) {
      signal.throwIfAborted();
      const next = send(piece);
      next.catch(() => undefined); // The later `await` of `sent` throws the error.
      sent.push(next);
      if (sent.length >= MAX_CHUNKS_IN_FLIGHT) await sent.shift();
    }
    await Promise.all(sent);
    await send('end');
    await sectionDone;
    return soFar;
  };
  try {
    signal.throwIfAborted();
    return await Promise.race([stage(), aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
    await thread.close();
    await sectionDone.catch(() => undefined); // `handlers.section` must not run after the return.
  }
}
