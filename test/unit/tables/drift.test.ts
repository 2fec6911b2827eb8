import { describe, expect, it } from 'vitest';
import { RecordConverter } from '../../../src/tables/records/convert-record.js';
import { splitRecordFields } from '../../../src/tables/records/split-record-fields.js';
import { EXTRA_COLUMN, type TableField } from '../../../src/tables/table-schema.js';

const ID: TableField = { name: 'id', type: 'Integer' };
const EXTRA: TableField = { name: EXTRA_COLUMN, type: 'JSON' };

function convert(record: object, { fields = [ID], refusedFields = [] as string[] } = {}) {
  const converter = new RecordConverter({ fields }, { policy: 'ask', refusedFields });
  return converter.convert(splitRecordFields(JSON.stringify(record)));
}

describe('the drift policy ask', () => {
  it('holds a record with unknown fields, and names the columns that it needs', () => {
    expect(convert({ id: 1, size: 2.5, tags: ['a'], none: null })).toEqual({
      reason: 'field "size": the table has no such column, and the drift policy of its tap is ask',
      needs: [
        ['size', 'Double'],
        ['tags', 'JSON'],
      ],
    });
  });

  it('converts a record whose unknown fields are null', () => {
    expect(convert({ id: 1, none: null })).toEqual({ values: ['1'] });
  });

  it('rejects a record with a value that does not fit its column, because no decision can load it', () => {
    expect(convert({ id: 'x', size: 1 })).toEqual({ reason: 'column "id": "x" does not fit Integer' });
  });

  it('rejects a record with a refused field, in any case of its name', () => {
    const reason = 'field "SIZE": the table has no such column, and the column was refused';
    expect(convert({ id: 1, other: 2, SIZE: 1 }, { refusedFields: ['size'] })).toEqual({ reason });
  });

  it('asks about the column _extra for fields that cannot be a column', () => {
    expect(convert({ ID: 1 })).toMatchObject({ needs: [[EXTRA_COLUMN, 'JSON']] });
    expect(convert({ ID: 1 }, { refusedFields: [EXTRA_COLUMN] })).not.toHaveProperty('needs');
  });

  it('stores fields that cannot be a column in an existing _extra', () => {
    expect(convert({ id: 1, ID: 2 }, { fields: [ID, EXTRA] })).toEqual({ values: ['1', '{"ID":2}'] });
    expect(convert({ id: 1, ID: 2, size: 3 }, { fields: [ID, EXTRA] })).toMatchObject({ needs: [['size', 'Integer']] });
  });

  it('converts the first records of a table without columns', () => {
    const converter = new RecordConverter({ fields: [] }, { policy: 'ask' });
    expect(converter.convert([['id', 'null']])).toEqual({ values: [] });
  });
});
