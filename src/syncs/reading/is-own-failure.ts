import { DatabaseError } from 'pg';
import { AppError } from '../../kernel/errors.js';
import { FileStoreError } from '../../kernel/files/file-store.js';

/**
 * Whether the database, the secret store or the file store of the service failed, not the source. The step is retried.
 */
export function isOwnFailure(error: unknown): boolean {
  return error instanceof AppError || error instanceof DatabaseError || error instanceof FileStoreError;
}
