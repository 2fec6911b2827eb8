import type { DuckDBConnection } from '@duckdb/node-api';
import type { MissingRecords } from '../../tables/table-hooks.js';
import { HISTORY_COLUMNS, RECORD_FIELDS } from '../../tables/table-schema.js';
import type { InspectedColumn } from './inspected-columns.js';
import { createRowSource, InspectedColumns } from './inspected-columns.js';
import type { InspectionServices, InspectionTask } from './inspection.js';

const [, UNTIL] = HISTORY_COLUMNS;
const [, VERSION, DELETED] = RECORD_FIELDS.map(({ name }) => name);

const STATE_COLUMNS = new InspectedColumns({ fields: [...RECORD_FIELDS, { name: UNTIL, type: 'DateTimeOffset' }] }, [])
  .all;

const VERSION_TIME = `coalesce(${VERSION}, '-infinity')`;

/** True if the newest version of the record is not a deletion. */
const EXISTS = `coalesce(max(${VERSION_TIME}) filter (where ${DELETED}) < max(${VERSION_TIME}), true)`;

/**
 * Compares the new rows with the replaced rows by primary key. Without a primary key, compares only the numbers of
 * rows. Returns undefined if no rule needs the count, or if the new rows replace no rows.
 */
export async function countMissingRecords(
  services: InspectionServices,
  { rows, expected, signal }: InspectionTask,
): Promise<MissingRecords | undefined> {
  const { replaced } = rows;
  if (rows.missingRecords) return rows.missingRecords;
  if (!replaced || replaced.rows === 0 || !expected.rules.some(({ type }) => type === 'missing_rate')) return undefined;
  const columns = new InspectedColumns(rows.schema, []);
  const key = expected.primaryKey.flatMap((name) => columns.find(name) ?? []);
  const byRows = { missing: Math.max(0, replaced.rows - rows.rows), of: replaced.rows };
  if (key.length === 0 || key.length < expected.primaryKey.length || rows.files.length === 0) return byRows;
  return services.localFiles.use([...rows.files, ...replaced.files], (paths) =>
    services.duckdb.connect(async (connection) => {
      const [fresh, old] = [paths.slice(0, rows.files.length), paths.slice(rows.files.length)];
      const byKey = await compareKeys(connection, key, fresh, old);
      return byKey.of > 0 ? byKey : byRows;
    }, signal),
  );
}

async function compareKeys(
  connection: DuckDBConnection,
  key: readonly InspectedColumn[],
  fresh: readonly string[],
  old: readonly string[],
): Promise<MissingRecords> {
  const names = key.map(({ sql }) => sql).join(', ');
  const complete = key.map(({ sql }) => `${sql} is not null`).join(' and ');
  const keysIn = (paths: readonly string[], state: readonly InspectedColumn[]): string =>
    `select ${names} from ${createRowSource(paths)([...key, ...state])} where ${complete}`;
  const result = await connection.runAndReadAll(`
with old as (${keysIn(old, STATE_COLUMNS)} and ${UNTIL} is null group by ${names} having ${EXISTS}),
  fresh as (${keysIn(fresh, [])})
select (select count(*) from old anti join fresh using (${names})), (select count(*) from old)`);
  const [missing, of] = (result.getRows()[0] ?? []).map(Number);
  return { missing: missing as number, of: of as number };
}
