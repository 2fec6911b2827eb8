import { describe, expect, it } from 'vitest';
import { nameColumns } from '../../../src/csv/header/name-columns.js';
import { csvFaultOf } from '../../support/csv/csv-fault.js';

const namesOf = (titles: readonly string[]) => nameColumns(titles, titles.length).map(({ name }) => name);

describe('the names of columns', () => {
  it('are the titles, trimmed and in NFC; a title that differs is kept', () => {
    expect(nameColumns([' id ', 'u\u0308ber', 'plain', 'two\nlines'], 4)).toEqual([
      { name: 'id', title: ' id ' },
      { name: '\u00fcber', title: 'u\u0308ber' },
      { name: 'plain' },
      { name: 'two lines', title: 'two\nlines' },
    ]);
  });

  it('are generated if there are no titles', () => {
    expect(nameColumns(undefined, 2)).toEqual([{ name: 'column_1' }, { name: 'column_2' }]);
    expect(namesOf(['a', ' ', 'c'])).toEqual(['a', 'column_2', 'c']);
  });

  it('are unique, and generated names never equal a title', () => {
    expect(namesOf(['id', 'id', 'id_2', 'id'])).toEqual(['id', 'id_3', 'id_2', 'id_4']);
    expect(namesOf(['', 'column_1', ''])).toEqual(['column_1_2', 'column_1', 'column_3']);
  });

  it('may be names of object members', () => {
    expect(namesOf(['__proto__', 'constructor', '__proto__'])).toEqual(['__proto__', 'constructor', '__proto___2']);
  });

  it('drop control characters of a wrong decoding', () => {
    expect(namesOf(['cost (\u0080)'])).toEqual(['cost ()']);
  });

  it('drop invisible and direction-changing characters', () => {
    expect(nameColumns(['a\u200b', '\u202eb\u202c', '\u2067 c \u2069', '\ufeff'], 4)).toEqual([
      { name: 'a', title: 'a\u200b' },
      { name: 'b', title: '\u202eb\u202c' },
      { name: 'c', title: '\u2067 c \u2069' },
      { name: 'column_4', title: '\ufeff' },
    ]);
    expect(namesOf(['a', 'a\u200b'])).toEqual(['a', 'a_2']);
  });

  it('have at most 256 characters and no control characters', () => {
    expect(namesOf(['n'.repeat(256)])[0]).toHaveLength(256);
    expect(csvFaultOf(() => namesOf(['n'.repeat(257)]))).toBe('007');
    expect(csvFaultOf(() => namesOf(['a\u001b[31m']))).toBe('007');
  });

  it('are generated in linear time', () => {
    expect(new Set(namesOf(Array.from({ length: 4_096 }, () => 'same'))).size).toBe(4_096);
  });
});
