import { AppError } from '../kernel/errors.js';
import type { FileSizeLimit } from '../kernel/files/incoming-file.js';

/** The limit of one uploaded file, in bytes. */
export function fileSizeLimit(maxBytes: number): FileSizeLimit {
  return { maxBytes, error: () => new AppError('WA-AF-012', `The file exceeds ${maxBytes} bytes.`) };
}
