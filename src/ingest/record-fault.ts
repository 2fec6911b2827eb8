import { DriverException } from '@mikro-orm/core';
import { DatabaseError } from 'pg';
import { LeaseLost } from '../kernel/concurrency/lease.js';
import { AppError } from '../kernel/errors.js';
import { FileStoreError } from '../kernel/files/file-store.js';

/** Errors that no record can cause, and that a retry may resolve. */
const TRANSIENT_ERRORS = [FileStoreError, LeaseLost, AppError, DriverException, DatabaseError];

/** Only for errors that occur while the service writes files. Records cannot cause later errors. */
export function isRecordFault(error: unknown): boolean {
  return !TRANSIENT_ERRORS.some((type) => error instanceof type);
}
