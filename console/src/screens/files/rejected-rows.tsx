import { countOf } from '../../ui/count-of.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import type { ColumnCheck, ColumnsCheck } from './file-query.js';

type Example = ColumnCheck['examples'][number];

const COLUMNS: readonly [Column<Example>, ...Column<Example>[]] = [
  { title: 'Line', className: 'w-20 font-normal tabular-nums', cell: ({ line }) => line.toLocaleString('en') },
  {
    title: 'Value',
    className: 'max-w-56 min-w-24 font-mono text-xs wrap-anywhere',
    cell: ({ value }) => value || 'empty',
  },
  { title: 'Reason', cell: ({ reason }) => reason },
];

export function RejectedRows({ check }: { check: ColumnsCheck }) {
  const failing = check.columns.filter(({ failed }) => failed > 0);
  return (
    <div className="pb-2">
      <p role="status" className="px-5 py-4 text-sm">
        {summarize(check)}
      </p>
      {failing.map((column) => (
        <FailingValues key={column.column.name} check={column} />
      ))}
    </div>
  );
}

/** Returns a sentence such as "3 of 812 rows would be rejected." */
export function summarize({ rows, rejectedRows, isWholeFile }: ColumnsCheck): string {
  const checked = isWholeFile ? countOf(rows, 'row') : `the first ${countOf(rows, 'row')} (8 MiB)`;
  if (rejectedRows > 0) return `${rejectedRows.toLocaleString('en')} of ${checked} would be rejected.`;
  return `None of ${checked} would be rejected.`;
}

export function FailingValues({ check: { column, failed, examples } }: { check: ColumnCheck }) {
  return (
    <div className="border-t border-line pt-3">
      <h3 className="px-5 text-sm font-medium">
        <span className="font-mono">{column.name}</span>: {countOf(failed, 'value does', 'values do')} not fit{' '}
        {column.type}
      </h3>
      <DataTable
        columns={COLUMNS}
        rows={examples}
        keyOf={({ line, value }) => `${line} ${value}`}
        label={`Values of ${column.name} that do not fit`}
      />
    </div>
  );
}
