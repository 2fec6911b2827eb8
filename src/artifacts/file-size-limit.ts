import { AppError } from '../kernel/errors.js';
import type { FileSizeLimit } from '../kernel/files/incoming-file.js';
import { formatBytes } from '../kernel/formats/format-bytes.js';

export function fileSizeLimit(maxBytes: number): FileSizeLimit {
  return {
    maxBytes,
    error: () =>
      new AppError(
        'WA-AF-012',
        `The file is larger than the limit of ${formatBytes(maxBytes)}. Upload a smaller file.`,
      ),
  };
}
