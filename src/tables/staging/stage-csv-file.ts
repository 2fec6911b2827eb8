import type { StagedFiles } from './staging-area.js';
import { StagingThread } from './staging-thread.js';
import type { StagingTask } from './staging-worker.js';

export interface StagingProgress {
  /** Of the file. */
  readonly bytesRead: number;
  readonly rows: number;
  readonly rejectedRows: number;
}

interface StagingHandlers {
  /** Told often. */
  readonly progress: (soFar: StagingProgress) => void;
  /** Given rows in their order, a section at a time; meanwhile the next one is staged. */
  readonly section: (section: StagedFiles) => Promise<void>;
}

/** Pieces of the file that the thread is given at once, so that it need not wait for the next one. */
const MAX_CHUNKS_IN_FLIGHT = 4;

/**
 * Stages the rows of a CSV file in a thread, in constant memory and, as sections are taken away, constant space. Throws what `bytes` throws and the takers
 * throw, `FileStoreError`, and the reason of the signal.
 */
export async function stageCsvFile(
  bytes: AsyncIterable<Buffer>,
  task: StagingTask,
  takers: StagingHandlers,
  signal: AbortSignal,
): Promise<StagingProgress> {
  const thread = new StagingThread(task);
  const isAborted = Promise.withResolvers<never>();
  isAborted.promise.catch(() => undefined);
  const abort = (): void => isAborted.reject(signal.reason);
  signal.addEventListener('abort', abort);
  let soFar: StagingProgress = { bytesRead: 0, rows: 0, rejectedRows: 0 };
  let taken = Promise.resolve();
  const tell = async (piece: Buffer | 'end'): Promise<void> => {
    const length = piece === 'end' ? 0 : piece.length;
    const { rows, rejectedRows, section } = await thread.send(piece);
    soFar = { bytesRead: soFar.bytesRead + length, rows, rejectedRows };
    takers.progress(soFar);
    if (!section) return;
    await taken;
    taken = takers.section(section);
    taken.catch(() => undefined); // whoever waits for it next is told
  };
  const stage = async (): Promise<StagingProgress> => {
    const told: Promise<void>[] = [];
    for await (const piece of bytes) {
      signal.throwIfAborted();
      const next = tell(piece);
      next.catch(() => undefined); // so is whoever waits for this one
      told.push(next);
      if (told.length >= MAX_CHUNKS_IN_FLIGHT) await told.shift();
    }
    await Promise.all(told);
    await tell('end');
    await taken;
    return soFar;
  };
  try {
    signal.throwIfAborted();
    return await Promise.race([stage(), isAborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
    await thread.close();
    await taken.catch(() => undefined); // nobody writes any more
  }
}
