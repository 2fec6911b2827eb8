import { DatabaseError } from 'pg';
import { AppError } from '../../kernel/errors.js';
import { FileStoreError } from '../../kernel/files/file-store.js';

/**
 * Returns whether the database, the secret store or the file store of the service failed. The service then retries the
 * step. Other errors are failures of the source.
 */
export function isOwnFailure(error: unknown): boolean {
  return error instanceof AppError || error instanceof DatabaseError || error instanceof FileStoreError;
}
