import type { DuckDBConnection } from '@duckdb/node-api';
import { type InspectedColumn, type RowSource, textOf } from './inspected-columns.js';
import type { Culprits } from './planned-check.js';
import type { RunSight } from './run-sight.js';
import { hasSensitiveKey } from './sensitive-values.js';
import type { CheckEvidence } from './table-quality-result.js';

const MOST_KEYS = 10;
const MOST_VALUES = 5;

/** Code points of a value, and of a part of a key. */
const VALUE_LENGTH = 64;
const KEY_LENGTH = 256;

/** Names a row where its key does not: by the batch, and the row within it. */
const PLACE = `_batch || ':' || _row`;

/** Which rows and values speak against a check; nothing of sensitive columns. */
export async function findEvidence(
  connection: DuckDBConnection,
  source: RowSource,
  sight: RunSight,
  culprits: Culprits,
): Promise<Pick<CheckEvidence, 'sampleKeys' | 'topViolatingValues'>> {
  const ask = async (sql: string): Promise<(string | null)[][]> =>
    (await connection.runAndReadAll(sql)).getRows() as (string | null)[][];
  const evidence: Pick<CheckEvidence, 'sampleKeys' | 'topViolatingValues'> = {};
  if (!hasSensitiveKey(sight.expected)) {
    const rows = await ask(
      culprits === 'repeated' ? repeatedKeys(sight, source) : failingKeys(sight, source, culprits),
    );
    evidence.sampleKeys = rows.map(([place, ...key]) => spellKey(place as string, key));
  }
  if (culprits !== 'repeated' && culprits.shown && !culprits.shown.isSensitive) {
    const rows = await ask(failingValues(source, culprits, culprits.shown));
    evidence.topViolatingValues = rows.map(([value]) => value as string);
  }
  return evidence;
}

type FailingRows = Exclude<Culprits, 'repeated'>;

function failingKeys(sight: RunSight, source: RowSource, { where, columns }: FailingRows): string {
  const rows = source(new Set([...columns, ...keyOf(sight)]));
  return `select ${[PLACE, ...keyTexts(sight)].join(', ')} from ${rows} where ${where} limit ${MOST_KEYS}`;
}

/** Those that are there most often. */
function repeatedKeys(sight: RunSight, source: RowSource): string {
  const { columns, list, complete = 'true' } = sight.identity;
  return `select ${[`min(${PLACE})`, ...keyTexts(sight)].join(', ')} from ${source(columns)} where ${complete}
    group by ${list} having count(*) > 1 order by count(*) desc, 1 limit ${MOST_KEYS}`;
}

/** They are counted as they are shown. */
function failingValues(source: RowSource, { where, columns }: FailingRows, shown: InspectedColumn): string {
  return `select left(${textOf(shown)}, ${VALUE_LENGTH}) from ${source(columns)} where ${where}
    group by 1 order by count(*) desc, 1 limit ${MOST_VALUES}`;
}

function keyTexts(sight: RunSight): string[] {
  return keyOf(sight).map((column) => `left(${textOf(column)}, ${KEY_LENGTH})`);
}

/** None where the rows lack a column of it. */
function keyOf({ expected, columns }: RunSight): InspectedColumn[] {
  const key = expected.primaryKey.map((name) => columns.find(name));
  return key.every((column) => column !== undefined) ? key : [];
}

function spellKey(place: string, key: readonly (string | null)[]): string {
  if (key.length === 0 || key.includes(null)) return place;
  return key.length === 1 ? (key[0] as string) : JSON.stringify(key);
}
