import type { DuckDBConnection } from '@duckdb/node-api';
import { hasSensitiveKey } from '../contracts/sensitive-columns.js';
import type { CheckEvidence } from '../results/table-quality-result.js';
import type { CheckContext } from './check-context.js';
import { columnTextSql, type InspectedColumn, type RowSource } from './inspected-columns.js';
import type { ViolatingRows } from './planned-check.js';

const MAX_SAMPLE_KEYS = 10;
const MAX_SAMPLE_VALUES = 5;

/** Code points of a value, and of a part of a key. */
const MAX_VALUE_LENGTH = 64;
const MAX_KEY_LENGTH = 256;

/** Names a row where its key does not: by the batch, and the row within it. */
const ROW_ORIGIN_SQL = `_batch || ':' || _row`;

/** Which rows and values speak against a check; nothing of sensitive columns. */
export async function findEvidence(
  connection: DuckDBConnection,
  source: RowSource,
  sight: CheckContext,
  culprits: ViolatingRows,
): Promise<Pick<CheckEvidence, 'sampleKeys' | 'topViolatingValues'>> {
  const ask = async (sql: string): Promise<(string | null)[][]> =>
    (await connection.runAndReadAll(sql)).getRows() as (string | null)[][];
  const evidence: Pick<CheckEvidence, 'sampleKeys' | 'topViolatingValues'> = {};
  if (!hasSensitiveKey(sight.expected)) {
    const rows = await ask(
      culprits === 'repeated' ? repeatedKeys(sight, source) : failingKeys(sight, source, culprits),
    );
    evidence.sampleKeys = rows.map(([place, ...key]) => formatRowKey(place as string, key));
  }
  if (culprits !== 'repeated' && culprits.shown && !culprits.shown.isSensitive) {
    const rows = await ask(failingValues(source, culprits, culprits.shown));
    evidence.topViolatingValues = rows.map(([value]) => value as string);
  }
  return evidence;
}

type ConditionRows = Exclude<ViolatingRows, 'repeated'>;

function failingKeys(sight: CheckContext, source: RowSource, { where, columns }: ConditionRows): string {
  const rows = source(new Set([...columns, ...keyColumnsOf(sight)]));
  return `select ${[ROW_ORIGIN_SQL, ...keyTexts(sight)].join(', ')} from ${rows} where ${where} limit ${MAX_SAMPLE_KEYS}`;
}

/** Those that are there most often. */
function repeatedKeys(sight: CheckContext, source: RowSource): string {
  const { columns, columnListSql: list, complete = 'true' } = sight.identity;
  return `select ${[`min(${ROW_ORIGIN_SQL})`, ...keyTexts(sight)].join(', ')} from ${source(columns)} where ${complete}
    group by ${list} having count(*) > 1 order by count(*) desc, 1 limit ${MAX_SAMPLE_KEYS}`;
}

/** They are counted as they are shown. */
function failingValues(source: RowSource, { where, columns }: ConditionRows, shown: InspectedColumn): string {
  return `select left(${columnTextSql(shown)}, ${MAX_VALUE_LENGTH}) from ${source(columns)} where ${where}
    group by 1 order by count(*) desc, 1 limit ${MAX_SAMPLE_VALUES}`;
}

function keyTexts(sight: CheckContext): string[] {
  return keyColumnsOf(sight).map((column) => `left(${columnTextSql(column)}, ${MAX_KEY_LENGTH})`);
}

/** None where the rows lack a column of it. */
function keyColumnsOf({ expected, columns }: CheckContext): InspectedColumn[] {
  const key = expected.primaryKey.map((name) => columns.find(name));
  return key.every((column) => column !== undefined) ? key : [];
}

function formatRowKey(place: string, key: readonly (string | null)[]): string {
  if (key.length === 0 || key.includes(null)) return place;
  return key.length === 1 ? (key[0] as string) : JSON.stringify(key);
}
