import { describe, expect, it } from 'vitest';
import { sniffDialect } from '../../../src/csv/dialect/sniff-dialect.js';
import { parseCsvRecords } from '../../../src/csv/records/parse-csv-records.js';
import { csvFaultOf, WHOLE_FILE } from '../../support/csv/csv-fault.js';

const sniff = (...lines: string[]) => sniffDialect(`${lines.join('\n')}\n`, { encoding: 'utf-8', ...WHOLE_FILE });
const repeat = (times: number, line: (index: number) => string) =>
  Array.from({ length: times }, (_, index) => line(index));

function widthOf(...lines: string[]): number {
  const text = `${lines.join('\n')}\n`;
  const [record] = parseCsvRecords(text, sniff(...lines), WHOLE_FILE);
  return record?.values.length ?? 0;
}

describe('the delimiter', () => {
  it.each([
    [';', ['name;price', 'pear;1,5', 'plum;2,75']],
    [',', ['name,note', 'pear,green; ripe', 'plum,blue; sour']],
    ['|', ['a|b,c|d', 'e|f,g|h']],
    ['\t', ['who\twhen', 'Ann, B.\t12:30', 'Cid, D.\t12:45']],
    [',', ['col1,col2', '1;2;3,4;5;6', 'a;b;c,d;e;f']],
    [':', ['user:x:0:root', 'mail:x:8:mail', 'news:x:9:news', 'sync:x:4:sync']],
    [' ', ['12 ann 3.5', '13 bob 4.5', '14 cid 5.5', '15 dan 6.5']],
    ['^', ['id^name', '1^ann', '2^bob', '3^cid']],
    [' ', ['id   carat  cut', ...repeat(12, (row) => `${row}    0.${row}   Ideal`)]],
    [' ', ['5', 'methane molecule (in angstroms)', ...repeat(5, (row) => `H        ${row}.0  -0.${row}   0.5`)]],
    [',', [`1,Orange,${'KA Irvn|KE Anhm|N Fllr'},${'145.1|145.2|145.3'},OFF,OFF,,0.5`]],
    [';', [`1;Orange;${'KA Irvn|KE Anhm|N Fllr'};${'145.1|145.2|145.3'};OFF;OFF;;0.5`]],
    [',', ['Field1,Field2,"Field;3;3;3"']],
    ['#', repeat(4, (row) => `     ${row} # '${row} main street' # ' amherst, ma 0100${row}'`)],
    ['#', repeat(5, (index) => `north#town ${index}#main street, ${index}#0450${index}`)],
  ])('is %j if that splits best', (delimiter, lines) => {
    expect(sniff(...lines)).toMatchObject({ delimiter });
  });

  it('is the delimiter of a sep= line, which is not a record', () => {
    expect(sniff('sep=;', 'a;b', '1,5;2')).toMatchObject({ delimiter: ';', skipLines: 1, header: true });
  });

  it('splits nothing if every line is one value', () => {
    expect(sniff('name', 'Ann', 'Bob')).toMatchObject({ delimiter: ',', header: true });
    expect(sniff('when', '12:30:00', '12:45:00', '13:00:00', '13:15:00')).toMatchObject({ delimiter: ',' });
    expect(sniff('100,000.00', '300,000,000.40', '50')).not.toMatchObject({ delimiter: ',' });
    expect(sniff('place', 'Rome', 'Oslo, Norway', 'Bern', 'Kiel')).not.toMatchObject({ delimiter: ',' });
  });

  it.each([
    ['mail', (row: number) => `a${row}@b.example`],
    ['url', (row: number) => `https://a.example/${row}?p=1&q=2`],
    ['when', (row: number) => `2024-01-01 10:10:${10 + row}`],
    ['start time', (row: number) => `2024-01-01 10:10:${10 + row}`],
    ['when', (row: number) => `2024-01-01T10:10:${10 + row}Z`],
    ['day', (row: number) => `January ${1 + row}, 2024`],
    ['time', (row: number) => `10:${10 + row}`],
    ['mac', (row: number) => `00:1a:2b:3c:4d:${10 + row}`],
    ['ip', (row: number) => `fe80:0:0:0:1:2:3:${row}`],
    ['phone', (row: number) => `+49 30 1234${10 + row}`],
    ['share', (row: number) => `${row}%`],
    ['tag', (row: number) => `#tag${row}`],
    ['part', (row: number) => `AB${row}#${row}`],
    ['name', (row: number) => `Ada Lovelace${row}`],
    ['full name', (row: number) => `Ada Lovelace${row}`],
    ['name', (row: number) => `Lovelace${row}, Ada`],
    ['amount', (row: number) => `1,0${10 + row}.50`],
  ])('does not split values of %j, and detects the title', (title, write) => {
    const text = [title, ...repeat(20, write)];
    expect(sniff(...text)).toMatchObject({ delimiter: expect.stringMatching(/[,;\t|]/), header: true, skipLines: 0 });
    expect(widthOf(...text)).toBe(1);
  });

  it('does not split values of a list without a title', () => {
    expect(widthOf('$5', '$6', '$7', '$8')).toBe(1);
    expect(widthOf(...repeat(20, (row) => `#tag${row}`))).toBe(1);
    expect(widthOf(...repeat(20, (row) => `a${row}@b.example`))).toBe(1);
    expect(widthOf(...repeat(20, (row) => `Ada +4930${row}`))).toBe(1);
  });

  it('does not split remarks if every second remark has a comma', () => {
    const remarks = repeat(30, (row) => (row % 2 ? 'Nice, thanks' : 'ok'));
    expect(widthOf('comment', ...remarks)).toBe(1);
    expect(widthOf('comment', ...repeat(30, (row) => `Well${', and so on'.repeat(1 + ((row * 7) % 23))}`))).toBe(1);
  });

  it('may be a rare character if it splits all records equally', () => {
    const words = ['ann', 'bob', 'cid', 'dan', 'eve', 'fay'];
    for (const delimiter of ':\u0001\u001f\u001e^~#+&*!=@$%§¦¬') {
      const rows = words.map((word, row) => [word, `${word} street`, row * 3, ''].join(delimiter));
      const titles = ['name', 'place', 'sum', 'end'].join(delimiter);
      expect(sniff(...rows)).toMatchObject({ delimiter, header: false, skipLines: 0 });
      expect(sniff(titles, ...rows)).toMatchObject({ delimiter, header: true, skipLines: 0 });
      expect(sniff('Report', '', titles, ...rows)).toMatchObject({ delimiter, header: true, skipLines: 2 });
    }
  });

  it('is an error if no delimiter splits the lines evenly', () => {
    const ragged = repeat(40, (index) => `${'x,'.repeat(1 + ((index * 7) % 23))}y`);
    expect(csvFaultOf(() => sniff(...ragged))).toBe('005');
  });
});

describe('blanks after delimiters', () => {
  it('belong to the delimiter if a blank follows each delimiter', () => {
    const lines = ['id, name, "note"', '1, Ann, "a, b"', '2, Bob, ', '3, Cid, "x"'];
    expect(sniff(...lines)).toMatchObject({ delimiter: ',', skipInitialSpace: true });
    const records = [...parseCsvRecords(lines.join('\n'), sniff(...lines), WHOLE_FILE)];
    expect(records[1]?.values).toEqual(['1', 'Ann', 'a, b']);
  });

  it('are part of the value if one delimiter has no blank', () => {
    expect(sniff('id, name', '1, Ann', '2,Bob')).not.toHaveProperty('skipInitialSpace');
  });

  it('are one delimiter if spaces delimit the values, and none at the ends of a line', () => {
    const text = '  1   ann  2.5 \n 12  bob 3.5\n';
    const dialect = {
      delimiter: ' ',
      quote: '"',
      escape: '"',
      comment: null,
      skipLines: 0,
      skipInitialSpace: true,
    } as const;
    expect([...parseCsvRecords(text, dialect, WHOLE_FILE)].map(({ values }) => values)).toEqual([
      ['1', 'ann', '2.5'],
      ['12', 'bob', '3.5'],
    ]);
  });
});

describe('quotes', () => {
  it.each([
    ['"', '"', ['a,b', '1,"x, ""y"""']],
    ["'", "'", ['a,b', "1,'x, y'", "2,'it''s'"]],
    ['"', '\\', ['a,b', String.raw`1,"x \"y\", z"`, '2,"p"']],
    ["'", '\\', ['1|A|t1', String.raw`2|B|'t\'2\'t'`, '3|C|t3']],
    ['"', '"', ['a,b', "1,it's", "2,that's"]],
  ])('are %s, escaped with %s', (quote, escaping, lines) => {
    expect(sniff(...lines)).toMatchObject({ quote, escape: escaping });
  });

  it("do not hide a header above many '' values", () => {
    const lines = repeat(6, (row) => `${row % 2 ? row : "''"},x${row}`);
    expect(sniff('n,name', ...lines)).toMatchObject({ quote: '"', header: true });
  });

  it("are not ' if '' is an empty value in a file with double quotes", () => {
    const lines = repeat(10, (row) => `${row}00\t0.00${row}\t''\t1.5`);
    expect(sniff('size\t"Queue (degree: 4)"\t"Poor (degree: 4)"\t"Ruby (4)"', ...lines)).toMatchObject({ quote: '"' });
  });

  it('have no special meaning if they would join similar lines', () => {
    const lines = repeat(
      30,
      (index) => `${index}\t${index % 7 === 3 ? '"' : ''}Title ${index}${index % 7 === 5 ? '"' : ''}\t${index * 3}`,
    );
    expect(sniff('id\ttitle\tpages', ...lines)).toMatchObject({ delimiter: '\t', quote: null, escape: null });
  });
});

describe('the position of the table', () => {
  const TABLE = ['id,name,amount', '1,ann,2.5', '2,bob,3.5', '3,cid,4.5'];

  it.each([
    [0, TABLE],
    [3, ['Report', 'made on 2024-01-01', '', ...TABLE]],
    [1, ['Report,,', ...TABLE]],
    [2, ['by,ann', 'on,2024-01-01', ...TABLE.map((line) => `${line},x,y`)]],
    [2, ['by,ann,x', '', ...TABLE.map((line) => `${line},x,y`)]],
    [1, [TABLE[0] ?? '', ...TABLE]],
    [1, ['Report, 2024', ...TABLE]],
    [1, ['Report, 2024', 'id,amount', '1,2', '2,3', '3,4']],
    [1, ['Report of the year, by Ann, Bob, and others', ...TABLE]],
    [1, ['Summary,', 'id,name', '1,ann', '2,bob', '3,cid']],
    [1, ['Meetings,,', ...TABLE]],
    [0, ['id,name,sum,', '1,ann,2', 'id,name,sum', '2,bob,3', '3,cid,4']],
    [0, ['set,n,sel,low', '1,1,0.77,5', ',2,,6', ',3,,7', '2,4,0.5,8']],
  ])('is after %i lines', (skipLines, lines) => {
    expect(sniff(...lines)).toMatchObject({ skipLines, header: true });
  });

  it('does not depend on comments', () => {
    expect(sniff('# made by x', '# on 2024-01-01', ...TABLE, '# end')).toMatchObject({ comment: '#', header: true });
    expect(sniff('#id,name,amount', ...TABLE.slice(1))).toMatchObject({ delimiter: ',', header: true });
  });
});

describe('rows that start with #', () => {
  const dialectOf = (...lines: string[]) => sniff('tag,n', ...lines);
  const TAGS = repeat(30, (row) => (row % 3 ? `x${row},${row}` : `#${row},${row}`));

  it('are rows if they have the same width as other rows', () => {
    expect(dialectOf(...TAGS)).toMatchObject({ comment: null, header: true, skipLines: 0 });
    expect(dialectOf('#a,1', '#b,2')).toMatchObject({ comment: null, header: true });
    expect(dialectOf(...TAGS, '#uneven')).toMatchObject({ comment: null });
    expect(dialectOf('"two', '#lines",1', ...TAGS)).toMatchObject({ comment: null });
  });

  it('are comments above the table, even with the same number of commas', () => {
    const rows = TAGS.filter((line) => !line.startsWith('#'));
    expect(sniff('# made', '# by a, b', 'tag,n', ...rows)).toMatchObject({ comment: '#', header: true });
  });
});

describe('a header', () => {
  it.each([
    ['above numbers', ['a,b', '1,2']],
    ['of words that look like titles', ['name,city', 'Ann,Rome', 'Bob,Oslo']],
    ['of years in a row', ['museum,2011,2010', 'Pitti,23.824,17.518', 'Uffizi,closed,closed']],
    ['of a word that may be a boolean, above numbers', ['n', '0.5', '1.5', '2.5']],
    ['of a word that may be a boolean, above words', ['no', 'red', 'blue', 'green']],
    ['of a title and a word that may be a boolean', ['sku,n', 'x1,1', 'x2,2']],
    ['above dates with names of months', ['fecha', '29 Dez 2017', '3 févr. 2018', '3 de marzo de 2024']],
    ['above numbers with a remark below', ['id,n', '1,2', '3,4', '5,6', 'Total']],
    ['above a remark of the same word', ['Total,by', '1,ann', '2,bob', 'Total']],
    ['without a word, above values', [',,', '123,x,y', '345,x,z']],
  ])('is detected: %s', (_, lines) => {
    expect(sniff(...lines)).toMatchObject({ header: true, skipLines: 0 });
  });

  it.each([
    ['numbers above numbers', ['1,2', '3,4']],
    ['values above values of their kind', ['123,TEST,2000-12-12', '345,TEST,2000-12-13']],
    ['one repeated value', repeat(300, () => 'foo')],
    ['booleans above booleans', ['y,4', 'n,5', 'y,6']],
    ['one date', ['05/06/2019']],
    ['dates with names of months', ['29 Dez 2017', '28 Dez 2017', '12. März 2024']],
    ['values with a missing number', ['a,5', 'b,n/a', 'c,7', 'd,8']],
    ['a value that is repeated', ['red,small', 'red,large', 'blue,large', 'red,small']],
  ])('is not detected in %s', (_, lines) => {
    expect(sniff(...lines)).toMatchObject({ header: false });
  });
});
