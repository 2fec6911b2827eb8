import { DatabaseError } from 'pg';
import { AppError } from '../../kernel/errors.js';
import { FileStoreError } from '../../kernel/files/file-store.js';

/** After such a failure, the service retries the step. Other errors are failures of the source. */
export function isOwnFailure(error: unknown): boolean {
  return error instanceof AppError || error instanceof DatabaseError || error instanceof FileStoreError;
}
