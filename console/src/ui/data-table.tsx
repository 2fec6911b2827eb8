import type { Key, ReactNode } from 'react';
import { classNames } from './class-names.js';

export interface Column<Row> {
  readonly title: string;
  /** Set for columns of numbers or actions. */
  readonly align?: 'right';
  readonly className?: string;
  readonly cell: (row: Row) => ReactNode;
}

/** The corners of the header are rounded, so that they do not cover the rounded corners of the card. */
const HEADER_CLASSES = 'bg-surface py-2 font-medium whitespace-nowrap first:rounded-tl-xl last:rounded-tr-xl';

/** The section is positioned, so that texts for screen readers scroll with their cell instead of widening the page. */
const SCROLL_CLASSES = 'relative overflow-auto';

interface DataTableProps<Row> {
  /** The first column is the row header for screen readers. */
  readonly columns: readonly [Column<Row>, ...Column<Row>[]];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row, index: number) => Key;
  readonly label: string;
  readonly size?: 'sm' | 'xs';
  /** Limits the height of the table. The header then stays visible while the rows scroll. */
  readonly hasFixedHeader?: boolean;
}

/** Scrolls sideways on narrow screens. */
export function DataTable<Row>({ columns, rows, keyOf, label, size = 'sm', hasFixedHeader }: DataTableProps<Row>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section aria-label={label} tabIndex={0} className={classNames(SCROLL_CLASSES, hasFixedHeader && 'max-h-[70vh]')}>
      <table aria-label={label} className={classNames('w-full text-left', size === 'xs' ? 'text-xs' : 'text-sm')}>
        <thead className="sticky top-0 text-xs text-muted">
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" className={cellClasses(column, HEADER_CLASSES)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map((row, index) => (
            <DataRow key={keyOf(row, index)} columns={columns} row={row} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function DataRow<Row>({ columns: [first, ...others], row }: Pick<DataTableProps<Row>, 'columns'> & { row: Row }) {
  return (
    <tr>
      <th scope="row" className={cellClasses(first, classNames('py-2.5 font-medium', first.className))}>
        {first.cell(row)}
      </th>
      {others.map((column) => (
        <td key={column.title} className={cellClasses(column, classNames('py-2.5', column.className))}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
}

function cellClasses<Row>({ align }: Column<Row>, own: string): string {
  return classNames('px-3 first:pl-5 last:pr-5', align === 'right' && 'text-right whitespace-nowrap tabular-nums', own);
}
