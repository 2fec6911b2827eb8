import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { inferSchema } from '../../../src/csv/infer-schema.js';

const schemaOf = (text: string, options: object = {}) => inferSchema(Buffer.from(text), { isWhole: true, ...options });

describe('the schema of a file', () => {
  it('has the dialect, the types, their evidence and the first rows', () => {
    const { schema, columnMetadata, sampleRows } = schemaOf(
      'id;price;day\n1;1,50;13.01.2024\n2;2,75;01.02.2024\n3;;\n',
    );
    expect(schema.dialect).toMatchObject({ delimiter: ';', header: true });
    expect(schema.fields).toEqual([
      { name: 'id', type: 'Integer', nullable: false },
      { name: 'price', type: 'Decimal', decimalSeparator: ',', precision: 3, scale: 2, nullable: true },
      { name: 'day', type: 'Date', format: 'dd.MM.yyyy', nullable: true },
    ]);
    expect(columnMetadata.map(({ fieldPath, sampleSeen }) => [fieldPath, sampleSeen])).toEqual([
      ['id', 3],
      ['price', 2],
      ['day', 2],
    ]);
    expect({ ...sampleRows[2] }).toEqual({ id: '3', price: '', day: '' });
  });

  it('previews 20 rows', () => {
    const rows = Array.from({ length: 50 }, (_, index) => `${index},row ${index}`);
    const { sampleRows, columnMetadata } = schemaOf(`id,name\n${rows.join('\n')}\n`);
    expect([sampleRows.length, columnMetadata[0]?.sampleSeen]).toEqual([20, 50]);
  });

  it('uses proposals by field name', () => {
    const { schema } = schemaOf('zip,city\n12345,Berlin\n', { proposals: { zip: { type: 'String' } } });
    expect(schema.fields.map(({ type }) => type)).toEqual(['String', 'String']);
  });

  it('is an error if the file has a header but no rows', () => {
    expect(() => schemaOf('id,name\n')).toThrow(expect.objectContaining({ code: 'WA-AF-024' }));
  });

  it('ignores an incomplete record at the end of the head', () => {
    const { columnMetadata } = schemaOf('id,name\n1,a\n2,b\n3,', { isWhole: false });
    expect(columnMetadata[0]?.sampleSeen).toBe(2);
  });
});

describe('the structure of a file', () => {
  const text =
    'Report, 2024\nid,name,sum,\n1,a,2\n2,b\nid,name,sum\n3,c,4,5\n"4",d,5,\n5,e,6\n6\n7,f,8\nSource: x\n\nof 2024\n';

  it('names what was padded or left out, with counts and lines', () => {
    const { structure, columnMetadata } = schemaOf(text);
    expect(structure).toEqual({
      ...{ rows: 6, paddedRows: 2, longRows: 1, repeatedHeaders: 1, remarks: 2, otherTableRows: 0 },
      ...{ skippedLines: 1, droppedColumns: 1 },
      evidence: [
        'The service skipped 1 line above the header ("Report, 2024").',
        'The service padded 2 rows to 3 values: lines 4, 9.',
        'The service left out 1 row with more than 3 values: line 6.',
        'The service left out 1 repetition of the header: line 5.',
        'The service left out 2 remarks below the table: lines 11, 13 ("Source: x").',
        'The service dropped 1 empty column at the right of the table.',
      ],
    });
    expect(columnMetadata[0]).toMatchObject({ sampleSeen: 4, demoted: false });
  });

  it('pads and leaves out rows up to the limits of a readable table, and rejects the file beyond them', () => {
    const header = 'a,b,c,d,e\n';
    const quarter = ['1,2,3,4,5\n', '1,2\n', '1,2,3\n', '1,2,3,4\n'].map((row) => row.repeat(100)).join('');
    expect(schemaOf(header + quarter).structure).toMatchObject({ rows: 400, paddedRows: 300, longRows: 0 });
    expect(() => schemaOf(`${header}${quarter}1,2,3,4,5,6\n`)).toThrow(expect.objectContaining({ code: 'WA-AF-011' }));
    // The first 1,000 rows determine the number of columns.
    const half = header + '1,2,3,4,5\n'.repeat(1_100) + '1,2,3,4,5,6\n'.repeat(1_100);
    expect(schemaOf(half).structure).toMatchObject({ rows: 1_100, longRows: 1_100 });
    expect(() => schemaOf(`${half}1,2,3,4,5,6\n`)).toThrow(expect.objectContaining({ code: 'WA-AF-011' }));
  });

  it('says that the encoding is a guess', () => {
    const { schema, structure } = inferSchema(iconv.encode('id,word\n1,Caf\u00e9\n2,tea\n', 'macintosh'), {
      isWhole: true,
    });
    const { encoding, encodingConfidence = 0 } = schema.dialect;
    expect(structure.evidence).toEqual([
      `The encoding ${encoding} is a guess (confidence ${encodingConfidence.toFixed(2)}). If letters are wrong, save the file as UTF-8.`,
    ]);
  });

  it('has no evidence for a file without uneven rows', () => {
    expect(schemaOf('id,name\n1,a\n2,b\n').structure.evidence).toEqual([]);
  });

  it('has no remarks if the file continues after the sample', () => {
    const { structure } = schemaOf(text, { isWhole: false });
    expect([structure.rows, structure.remarks]).toEqual([6, 0]);
  });
});
