import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import { ConnectorTap } from '../../catalog/model/connector-tap.js';
import { parentVariableOf } from '../../catalog/model/parent-variable.js';
import type { TraversalEdge } from '../../catalog/model/traversal.js';
import { decodeId, encodeId } from '../../kernel/ids.js';
import { runTenantTransaction } from '../../kernel/reading/tenant-transaction.js';
import { CatalogTable } from '../../tables/catalog-table.js';
import { describeColumns } from '../../tables/describe-columns.js';
import { sqlName, sqlText } from '../../tables/duckdb.js';
import type { StoredFile } from '../../tables/local-file-cache.js';
import { columnJsonSql } from '../../tables/queries/column-json-sql.js';
import type { TableServices } from '../../tables/table-context.js';
import { toStoredFile } from '../../tables/table-file-key.js';
import { CHANGE_COLUMNS, EXTRA_COLUMN, HISTORY_COLUMNS, RECORD_COLUMNS } from '../../tables/table-schema.js';
import { childScope, contextFieldsOf } from '../responses/child-scope.js';
import { isEligible } from '../responses/is-eligible.js';
import { parseLosslessJson } from '../responses/parse-lossless-json.js';
import { withRequestVariables } from '../responses/request-variables.js';
import { findTapByName, type LoadedRun } from '../runs/load-run.js';
import type { VendorRecord } from '../tap-page.js';
import { TapReadError } from '../tap-read-error.js';
import { type ParentScope, parentVersionOf } from './parent-version.js';

/** Maximum number of scopes per call of `take`. */
const BATCH = 1_000;

const SELECT_FILES = `
select id, bytes from table_file where tenant_id = $1 and table_id = $2 and state = 'live' and kind = 'data' order by created_at, id`;

interface Receiver {
  readonly take: (scopes: readonly ParentScope[]) => Promise<void>;
  /** Names of the parent taps whose records the run compares with their saved versions. */
  readonly comparable: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

/**
 * Reads the eligible parent records (`parentEligibility`) from the table of the parent tap. Passes their scopes to
 * `take`, up to `fanOutLimit`. Returns the number of scopes beyond this limit. Throws `TapReadError`.
 */
export async function childScopes(
  services: TableServices,
  loaded: LoadedRun,
  edge: TraversalEdge,
  { take, comparable, signal }: Receiver,
): Promise<number> {
  const { files, jsonColumns, primaryKey } = await readParentTable(services, loaded, edge);
  const limit = edge.fanOutLimit ?? Number.POSITIVE_INFINITY;
  const keyField = edge.parentKeyField;
  const tapFields = loaded.definition.parentContextFields;
  const contextFields = contextFieldsOf(edge, tapFields).map(({ sourceField }) => sourceField);
  const fields = fieldsOf([...pathsOf(edge), ...contextFields, ...(primaryKey == null ? [] : [primaryKey])]);
  const columns = { keyField, primaryKey, contextFields, fields, jsonColumns };
  let eligible = 0;
  let batch: ParentScope[] = [];
  const until = new Date(loaded.run.runUntil).getTime();
  if (files.length === 0) return 0;
  await services.localFiles.use(files, (paths) =>
    services.duckdb.connect(async (connection) => {
      for await (const record of currentRecords(connection, paths, columns)) {
        const scope = isEligible(record, edge.parentEligibility) && childScope(edge, record, tapFields);
        if (!scope) continue;
        eligible += 1;
        if (eligible > limit) continue;
        batch.push({
          ...withRequestVariables(scope, loaded.definition, parentVariableOf(edge)),
          ...(comparable.has(edge.from) && { parentVersion: parentVersionOf(edge, record, until) }),
        });
        if (batch.length < BATCH) continue;
        await take(batch);
        batch = [];
      }
    }, signal),
  );
  if (batch.length > 0) await take(batch);
  return Math.max(0, eligible - limit);
}

interface ParentTable {
  readonly files: readonly StoredFile[];
  readonly primaryKey: string | null | undefined;
  readonly jsonColumns: ReadonlySet<string>;
}

async function readParentTable(
  { em, tables }: TableServices,
  { tenantId, instanceId, definition }: LoadedRun,
  { from }: TraversalEdge,
): Promise<ParentTable> {
  return runTenantTransaction(em, tables, tenantId, async ({ read }) => {
    const parent = await findTapByName(read, instanceId, from);
    const [table] = parent ? await read.many(CatalogTable, 'tap', parent.id) : [];
    const parentDefinition = parent?.tap ? await read.byId(ConnectorTap, parent.tap) : undefined;
    if (!table)
      throw new TapReadError(
        ...(['configuration', 'fail_tap'] as const),
        `The service reads "${definition.name}" once per record of "${from}", but has not read "${from}" yet. Sync "${from}" first.`,
      );
    const rows = await read.rows(SELECT_FILES, [decodeId(tenantId), decodeId(table.id)]);
    const files = rows.map(([id, bytes]) =>
      toStoredFile({ tenantId, tableId: table.id }, { kind: 'data', id: encodeId(id as string), bytes: Number(bytes) }),
    );
    const jsonFields = table.schema.fields.filter(({ type, name }) => type === 'JSON' || name === EXTRA_COLUMN);
    const primaryKey = parentDefinition?.responseExtraction.primaryKey;
    return { files, primaryKey, jsonColumns: new Set(jsonFields.map(({ name }) => name)) };
  });
}

function pathsOf(edge: TraversalEdge): readonly string[] {
  return [
    edge.parentKeyField,
    ...(edge.parentChangeField ? [edge.parentChangeField] : []),
    ...(edge.parentEligibility ?? []).map(({ field }) => field),
  ];
}

/** `a.b` is the name of a column, or a nested field in the column `a`. */
function fieldsOf(paths: readonly string[]): ReadonlySet<string> {
  return new Set(paths.flatMap((path) => [path, path.split('.')[0] as string]));
}

interface ParentColumns {
  readonly keyField: string;
  readonly primaryKey: string | null | undefined;
  readonly contextFields: readonly string[];
  readonly fields: ReadonlySet<string>;
  readonly jsonColumns: ReadonlySet<string>;
}

/**
 * Yields the newest version of each record, ordered by `keyField`. Omits deleted records. If the parent tap has a
 * parent itself, values of `keyField` may repeat, such as the numbers of issues in several repositories. The query
 * therefore identifies records by their primary key, if the tap has one.
 */
async function* currentRecords(
  connection: DuckDBConnection,
  paths: readonly string[],
  { keyField, primaryKey, contextFields, fields, jsonColumns }: ParentColumns,
): AsyncGenerator<VendorRecord> {
  const source = `read_parquet([${paths.map(sqlText).join(', ')}], union_by_name = true)`;
  const described = await describeColumns(connection, `select * from ${source}`);
  const columns = described.filter(({ name }) => fields.has(name));
  const names = new Set(columns.map(({ name }) => name));
  const key = keySql(keyField, names);
  if (key === undefined) return;
  const values = columns.map(({ name, type }) => columnJsonSql(sqlName(name), type)).join(', ');
  const primary = primaryKey == null ? undefined : keySql(primaryKey, names);
  const context = contextFields.map((field) => keySql(field, names)).filter((sql) => sql !== undefined);
  const has = (column: string): boolean => described.some(({ name }) => name === column);
  const recordKey = has(RECORD_COLUMNS[0]) ? `${RECORD_COLUMNS[0]}, ` : ''; // A deletion may contain only this key.
  const identity = primary
    ? `coalesce(${recordKey}${primary}::varchar, ${key}::varchar)`
    : [key, ...context].join(', ');
  const [, until] = HISTORY_COLUMNS;
  const isCurrent = has(until) ? `where ${until} is null` : '';
  const [operation] = CHANGE_COLUMNS;
  const version = has(RECORD_COLUMNS[1]) ? `${RECORD_COLUMNS[1]} desc nulls last, ` : '';
  const deletion = has(operation) ? `${operation} = 'delete' desc, ` : '';
  const newest = `row_number() over (partition by ${identity} order by ${version}${deletion}_received_at desc, _row desc) = 1`;
  const exists = has(operation) ? `and ${operation} is distinct from 'delete'` : '';
  const result = await connection.stream(
    `select ${values} from ${source} ${isCurrent} qualify ${newest} and ${key} is not null ${exists} order by ${key}`,
  );
  for await (const rows of result.yieldRows())
    for (const row of rows)
      yield Object.fromEntries(
        columns.map(({ name }, at) => [name, jsonValueOf(row[at] as DuckDBValue, jsonColumns.has(name))]),
      );
}

/**
 * If no column has the name `keyField`, the text before the first dot in `keyField` names a JSON column, and the rest
 * is a path in this column. Returns undefined if no column contains the field.
 */
function keySql(keyField: string, columns: ReadonlySet<string>): string | undefined {
  if (columns.has(keyField)) return sqlName(keyField);
  const [column = '', ...names] = keyField.split('.');
  if (!columns.has(column)) return undefined;
  return `json_extract_string(${sqlName(column)}, ${sqlText(`$${names.map((name) => `.${JSON.stringify(name)}`).join('')}`)})`;
}

function jsonValueOf(value: DuckDBValue, isJson: boolean): unknown {
  if (typeof value === 'bigint')
    return Number.isSafeInteger(Number(value)) ? Number(value) : parseLosslessJson(String(value));
  return isJson && typeof value === 'string' ? parseLosslessJson(value) : value;
}
