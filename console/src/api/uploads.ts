import { createContext, use, useSyncExternalStore } from 'react';
import { type Upload, UploadQueue } from './upload-queue.js';

export const Uploads = createContext<UploadQueue>(new UploadQueue(() => Promise.reject(new Error('no workspace'))));

export function useUploads(): { queue: UploadQueue; uploads: readonly Upload[] } {
  const queue = use(Uploads);
  return { queue, uploads: useSyncExternalStore(queue.subscribe, queue.uploads) };
}
