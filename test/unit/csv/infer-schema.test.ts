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
