import { expect } from '@jest/globals';
import { CsvFault } from '../../src/csv/csv-fault.js';

/** The last three digits of the code by which a reading fails. */
export function faultOf(read: () => unknown): string {
  try {
    read();
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(CsvFault);
    return (thrown as CsvFault).code.slice(-3);
  }
  throw new Error('nothing was thrown');
}

export const WHOLE = { isWhole: true };
export const CUT = { isWhole: false };
