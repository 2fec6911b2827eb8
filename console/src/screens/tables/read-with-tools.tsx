import { CopyBlock } from '../../ui/copy-block.js';
import type { Table } from './table-query.js';

/** Placeholder, because the API does not return the folder of the file store. */
const FOLDER = '/path/to/files/';

export function ReadWithTools({ table }: { table: Table }) {
  const files = (table.files ?? []).filter(({ kind }) => kind === 'data');
  const isFolder = files.some(({ url }) => !url);
  const addresses = files.map(({ key, url }) => url ?? `${FOLDER}${key}`);
  return (
    <div className="space-y-5 p-5 text-sm">
      <p className="text-muted">
        The statements read the newest {files.length} of {table.fileCount} files.
        {isFolder && (
          <>
            {' '}
            Replace <code>{FOLDER}</code> with the folder of the file store. Ask the operator for this folder.
          </>
        )}
        {table.mergedBy === 'reader' &&
          ' Each change is a row of this table. The page “Tables” of the documentation contains a query for the newest version of each record.'}
      </p>
      {Object.entries(statementsFor(table.name, addresses)).map(([tool, text]) => (
        <CopyBlock key={tool} title={tool} text={text} />
      ))}
    </div>
  );
}

function statementsFor(name: string, addresses: readonly string[]): Readonly<Record<string, string>> {
  const duckDb = addresses.map((one) => `'${one}'`).join(',\n  ');
  const spark = addresses.map((one) => `"${one.replace(/^s3:/, 's3a:')}"`).join(',\n    ');
  const trino = addresses.map(
    (one) => `alter table iceberg.demo.${name} execute add_files(\n  location => '${one}', format => 'PARQUET'\n);`,
  );
  return {
    DuckDB: `select *\nfrom read_parquet([\n  ${duckDb}\n], union_by_name = true)\nlimit 100;`,
    Spark: `spark.read.option("mergeSchema", "true").parquet(\n    ${spark}\n).show()`,
    Trino: trino.join('\n'),
  };
}
