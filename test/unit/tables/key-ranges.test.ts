import { describe, expect, it } from 'vitest';
import { commonKeyRange } from '../../../src/tables/files/measure-file.js';
import type { KeyRange } from '../../../src/tables/written-file.js';

const range = (first: string, last?: string): KeyRange => ({ first, last });

describe('the range of keys of several files', () => {
  it('contains all ranges, in the order of UTF-8 bytes', () => {
    expect(commonKeyRange([range('b', 'd'), range('B', 'c')])).toEqual(range('B', 'd'));
    expect(commonKeyRange([range('\uff5e', '\uff5e'), range('😀', '😀')])).toEqual(range('\uff5e', '😀'));
  });

  it('is unknown if the range of a file is unknown', () => {
    expect(commonKeyRange([range('b', 'd'), range('')])).toEqual(range(''));
  });

  it('omits files without a key', () => {
    expect(commonKeyRange([range('', ''), range('b', 'd')])).toEqual(range('b', 'd'));
    expect(commonKeyRange([range('', ''), range('', '')])).toEqual(range('', ''));
  });

  it('is undefined if a file lacks the key columns', () => {
    expect(commonKeyRange([range('b', 'd'), undefined])).toBeUndefined();
  });
});
