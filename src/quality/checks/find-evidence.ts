import type { DuckDBConnection } from '@duckdb/node-api';
import { hasSensitiveKey } from '../contracts/sensitive-columns.js';
import type { CheckEvidence } from '../results/table-quality-result.js';
import type { CheckContext } from './check-context.js';
import { columnTextSql, type InspectedColumn, type RowSource } from './inspected-columns.js';
import type { ViolatingRows } from './planned-check.js';

const MAX_SAMPLE_KEYS = 10;
const MAX_SAMPLE_VALUES = 5;

/** Maximum lengths, in code points, of a value and of each column of a key. */
const MAX_VALUE_LENGTH = 64;
const MAX_KEY_LENGTH = 256;

const ROW_ORIGIN_SQL = `_batch || ':' || _row`;

/** Omits values of sensitive columns, and all keys if a key column is sensitive. */
export async function findEvidence(
  connection: DuckDBConnection,
  source: RowSource,
  context: CheckContext,
  violatingRows: ViolatingRows,
): Promise<Pick<CheckEvidence, 'sampleKeys' | 'topViolatingValues'>> {
  const select = async (sql: string): Promise<(string | null)[][]> =>
    (await connection.runAndReadAll(sql)).getRows() as (string | null)[][];
  const evidence: Pick<CheckEvidence, 'sampleKeys' | 'topViolatingValues'> = {};
  if (!hasSensitiveKey(context.expected)) {
    const rows = await select(
      violatingRows === 'repeated' ? repeatedKeys(context, source) : failingKeys(context, source, violatingRows),
    );
    evidence.sampleKeys = rows.map(([rowOrigin, ...key]) => formatRowKey(rowOrigin as string, key));
  }
  if (violatingRows !== 'repeated' && violatingRows.shown && !violatingRows.shown.isSensitive) {
    const rows = await select(failingValues(source, violatingRows, violatingRows.shown));
    evidence.topViolatingValues = rows.map(([value]) => value as string);
  }
  return evidence;
}

type ConditionRows = Exclude<ViolatingRows, 'repeated'>;

function failingKeys(context: CheckContext, source: RowSource, { where, columns }: ConditionRows): string {
  const rows = source(new Set([...columns, ...keyColumnsOf(context)]));
  return `select ${[ROW_ORIGIN_SQL, ...keyTexts(context)].join(', ')} from ${rows} where ${where} limit ${MAX_SAMPLE_KEYS}`;
}

function repeatedKeys(context: CheckContext, source: RowSource): string {
  const { columns, columnListSql: list, complete = 'true' } = context.identity;
  return `select ${[`min(${ROW_ORIGIN_SQL})`, ...keyTexts(context)].join(', ')} from ${source(columns)} where ${complete}
    group by ${list} having count(*) > 1 order by count(*) desc, 1 limit ${MAX_SAMPLE_KEYS}`;
}

/** Groups by the truncated text, so that values that look equal in the result count as one value. */
function failingValues(source: RowSource, { where, columns }: ConditionRows, shown: InspectedColumn): string {
  return `select left(${columnTextSql(shown)}, ${MAX_VALUE_LENGTH}) from ${source(columns)} where ${where}
    group by 1 order by count(*) desc, 1 limit ${MAX_SAMPLE_VALUES}`;
}

function keyTexts(context: CheckContext): string[] {
  return keyColumnsOf(context).map((column) => `left(${columnTextSql(column)}, ${MAX_KEY_LENGTH})`);
}

function keyColumnsOf({ expected, columns }: CheckContext): InspectedColumn[] {
  const key = expected.primaryKey.map((name) => columns.find(name));
  return key.every((column) => column !== undefined) ? key : [];
}

function formatRowKey(rowOrigin: string, key: readonly (string | null)[]): string {
  if (key.length === 0 || key.includes(null)) return rowOrigin;
  return key.length === 1 ? (key[0] as string) : JSON.stringify(key);
}
