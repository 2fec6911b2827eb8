import { Int } from 'type-graphql';
import { PlainObjectType, RequiredField } from '../../kernel/entities/column-decorators.js';
import { ArtifactColumn } from '../artifact-column.js';

@PlainObjectType('A value that does not fit the type of its column.')
export class RejectedValue {
  @RequiredField('Number of the row, as in `_row` of the table.', () => Int)
  row: number;

  @RequiredField('Number of the first line of the row in the file, from 1.', () => Int)
  line: number;

  @RequiredField('First 64 characters of the value.')
  value: string;

  @RequiredField('Reason in English, with at most 64 characters of the value.')
  reason: string;
}

@PlainObjectType('Values of a column that do not fit its type.')
export class ColumnCheck {
  @RequiredField('Type of the column, with all properties.', () => ArtifactColumn)
  column: ArtifactColumn;

  @RequiredField('Number of values that do not fit. Missing values count if the column is not nullable.', () => Int)
  failed: number;

  @RequiredField('Up to 5 different values that do not fit, each with its first occurrence.', () => [RejectedValue])
  examples: RejectedValue[];
}

@PlainObjectType('Result of checking the rows of a file against the types of its columns.')
export class ArtifactColumnsCheck {
  @RequiredField('Number of rows that were checked, including rejected rows.', () => Int)
  rows: number;

  @RequiredField('Number of checked rows that a publication would reject, for any reason.', () => Int)
  rejectedRows: number;

  @RequiredField('Whether the check read the whole file. If false, the check read the rows in the first 8 MiB.')
  isWholeFile: boolean;

  @RequiredField(
    'The columns in `columns` of the request, and all other columns with values that do not fit their type, in column order.',
    () => [ColumnCheck],
  )
  columns: ColumnCheck[];
}
