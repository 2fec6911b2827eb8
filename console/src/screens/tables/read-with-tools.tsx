import { CopyBlock } from '../../ui/copy-block.js';
import type { Table } from './table-screen.js';

/** Statements that read the newest files of the table, to be copied. The operator knows the address of the store. */
export function ReadWithTools({ table }: { table: Table }) {
  const keys = (table.files ?? []).filter(({ kind }) => kind === 'data').map(({ key }) => key);
  const quoted = keys.map((key) => `'s3://bucket/prefix/${key}'`);
  return (
    <div className="space-y-5 p-5 text-sm">
      <p className="text-muted">
        Replace <code>s3://bucket/prefix/</code> with the address of your file store. The list contains the newest{' '}
        {keys.length} of {table.fileCount} files.
        {table.mergedBy === 'reader' && ' This table is merged by its readers: see the manual page on tables.'}
      </p>
      <CopyBlock
        title="DuckDB"
        text={`select *\nfrom read_parquet([\n  ${quoted.join(',\n  ')}\n], union_by_name = true)\nlimit 100;`}
      />
      <CopyBlock
        title="Spark"
        text={`spark.read.option("mergeSchema", "true").parquet(\n    ${quoted.map((one) => one.replaceAll("'", '"').replace('s3:', 's3a:')).join(',\n    ')}\n).show()`}
      />
      <CopyBlock
        title="Trino"
        text={quoted
          .map(
            (one) =>
              `alter table iceberg.demo.${table.name} execute add_files(\n  location => ${one}, format => 'PARQUET'\n);`,
          )
          .join('\n')}
      />
    </div>
  );
}
