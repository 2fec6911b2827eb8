import { expect } from 'vitest';
import { CsvError } from '../../../src/csv/model/csv-error.js';

/** Returns the last three digits of the error code. */
export function csvFaultOf(read: () => unknown): string {
  try {
    read();
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(CsvError);
    return (thrown as CsvError).code.slice(-3);
  }
  throw new Error('no error was thrown');
}

export const WHOLE_FILE = { isWhole: true };
export const TRUNCATED_FILE = { isWhole: false };
