import { DriverException } from '@mikro-orm/core';
import { DatabaseError } from 'pg';
import { LeaseLost } from '../kernel/concurrency/lease.js';
import { AppError } from '../kernel/errors.js';
import { FileStoreError } from '../kernel/files/file-store.js';

/** Errors that a retry may resolve, and that no record can cause. */
const TRANSIENT_ERRORS = [FileStoreError, LeaseLost, AppError, DriverException, DatabaseError];

/**
 * Returns whether a record may have caused an error in writing the files. No record causes an error in a later step.
 */
export function isRecordFault(error: unknown): boolean {
  return !TRANSIENT_ERRORS.some((type) => error instanceof type);
}
