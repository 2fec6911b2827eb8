import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { ConnectorTap } from '../../../src/catalog/model/connector-tap.js';
import type { Lean } from '../../../src/kernel/reading/reader.js';
import { identifyFedRecord } from '../../../src/syncs/responses/fed-record.js';
import { identifyRecord } from '../../../src/syncs/responses/identify-record.js';
import { DuckDb, sqlText } from '../../../src/tables/duckdb.js';
import { mergeHistory } from '../../../src/tables/merge/merge-history.js';
import { mergeParts } from '../../../src/tables/merge/merge-parts.js';
import type { RecordIdentity } from '../../../src/tables/records/record-identity.js';
import { atScale } from '../../support/soak.js';

const folder = await mkdtemp(join(tmpdir(), 'taproot-late-'));
const duckdb = new DuckDb({ folder, threads: 1 });

afterAll(async () => {
  await duckdb.close();
  await rm(folder, { recursive: true });
});

const [RECORDS, ROUNDS, CHANGES] = [500, 8, 6];
const START = Date.parse('2026-01-01T00:00:00Z');

type Definition = Lean<ConnectorTap>;

/**
 * `source` is a pushed tap with change events for the records of `target`. With `hasCursor`, the records of `target`
 * have a cursor field.
 */
function definitionsOf(hasCursor: boolean): { source: Definition; target: Definition } {
  const tap = { responseExtraction: { primaryKey: 'id' }, schema: {} };
  const target = { ...tap, sync: { mode: 'full', ...(hasCursor && { cursorField: 'updated' }) } };
  const source = {
    ...tap,
    sync: { mode: 'push', cursorField: 'created' },
    feeds: { tap: 'users', recordPath: 'object' },
  };
  const deletions = { tombstoneMarkerColumn: 'gone' };
  return { source: { ...source, ...deletions } as never, target: { ...target, ...deletions } as never };
}

interface Change {
  readonly at: number;
  readonly isDeleted: boolean;
}

interface Arrival {
  readonly identity: RecordIdentity;
  readonly value: string;
  /**
   * Time of the change. For a read of records without a cursor field, the time of the response. The table must keep the
   * row with the latest time.
   */
  readonly at: number;
}

/** Returns, in random order, the versions of a record from reads and from late change events. */
function interleave(id: number, hasCursor: boolean, random: () => number): Arrival[][] {
  const definitions = definitionsOf(hasCursor);
  const below = (limit: number): number => Math.floor(random() * limit);
  const changes = Array.from(
    { length: CHANGES },
    (_, nr): Change => ({ at: START + nr * 10_000, isDeleted: below(5) === 0 }),
  );
  const recordAt = ({ at, isDeleted }: Change) => ({
    id,
    ...(hasCursor && { updated: new Date(at).toISOString() }),
    gone: isDeleted,
  });
  const arrivals = Array.from({ length: ROUNDS }, (): Arrival[] => []);
  for (const change of changes) {
    const event = { created: change.at, object: recordAt(change), gone: change.isDeleted };
    const identity = identifyFedRecord(definitions, event, new Date(START + 1e6).toISOString());
    if (below(4) > 0) arrivals[below(ROUNDS)]?.push({ identity, value: `${id} at ${change.at}`, at: change.at });
  }
  for (let pull = 0; pull < 3; pull++) {
    const time = START + below(CHANGES * 10) * 1_000;
    const change = changes.findLast(({ at }) => at <= time);
    if (!change || change.isDeleted) continue;
    const completed = { record: recordAt(change), key: String(id), cursor: hasCursor ? change.at : undefined };
    const identity = identifyRecord(definitions.target, completed, new Date(time).toISOString());
    arrivals[below(ROUNDS)]?.push({ identity, value: `${id} at ${change.at}`, at: hasCursor ? change.at : time });
  }
  return arrivals;
}

class LocalTable {
  #files: { kind: string; path: string }[] = [];
  #merges = 0;
  #received = 0;

  constructor(
    private readonly connection: DuckDBConnection,
    private readonly place: string,
    private readonly mode: 'upsert' | 'history',
  ) {}

  async receive(arrivals: readonly Arrival[]): Promise<void> {
    if (arrivals.length === 0) return;
    const path = join(this.place, `part-${++this.#merges}.parquet`);
    const values = arrivals.map(({ identity: { key = '', version, isDeleted }, value }) => {
      const nr = ++this.#received;
      return `(${sqlText(key)}, ${sqlText(version)}::timestamptz, ${isDeleted}, ${sqlText(value)}, ${nr}, make_timestamptz(${nr}), 'batch')`;
    });
    await this.connection.run(
      `copy (from (values ${values.join(', ')}) t(_record_key, _record_version, _record_deleted, value, _row, _received_at, _batch)) to ${sqlText(path)} (format parquet)`,
    );
    const pathsOf = (wanted: string) => this.#files.flatMap((file) => (file.kind === wanted ? file.path : []));
    const place = await mkdtemp(join(this.place, 'merge-'));
    const input = { parts: [path], data: pathsOf('data'), deletes: pathsOf('deletes'), folder: place };
    const { added, replaced, keepsParts } =
      this.mode === 'history'
        ? await mergeHistory(this.connection, { ...input, unchanged: pathsOf('unchanged') })
        : await mergeParts(this.connection, { ...input, deletedRows: 'remove' });
    this.#files = this.#files.filter((file) => !replaced.includes(file.path));
    this.#files.push(...added.filter(({ rows }) => rows > 0));
    if (keepsParts) this.#files.push({ kind: 'data', path });
  }

  async values(): Promise<string[]> {
    const paths = this.#files.flatMap(({ kind, path }) => (kind === 'data' ? sqlText(path) : []));
    if (paths.length === 0) return [];
    const isCurrent = this.mode === 'history' ? 'where _valid_to is null' : '';
    const sql = `select value from read_parquet([${paths.join(', ')}], union_by_name = true) ${isCurrent}`;
    return (await this.connection.runAndReadAll(sql))
      .getRows()
      .map(([value]) => String(value))
      .sort();
  }
}

/** Of the versions that have arrived, the newest version of each record. */
class Newest {
  readonly #held = new Map<string, Arrival>();

  add(arrival: Arrival): void {
    const { at, identity } = arrival;
    const { key = '', isDeleted } = identity;
    const held = this.#held.get(key);
    const isNewer = !held || at > held.at || (at === held.at && (isDeleted || !held.identity.isDeleted));
    if (isNewer) this.#held.set(key, arrival);
  }

  get values(): string[] {
    return [...this.#held.values()].flatMap(({ identity, value }) => (identity.isDeleted ? [] : value)).sort();
  }
}

function randomFrom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

describe('a table that is pulled and receives late webhooks', () => {
  it('never replaces a row with an older version, in each of 500 random interleavings', async () => {
    const cases = fc.record({
      seed: fc.integer({ min: 1, max: 2_147_483_646 }),
      mode: fc.constantFrom('upsert' as const, 'history' as const),
      hasCursor: fc.boolean(),
    });
    const property = fc.asyncProperty(cases, async ({ seed, mode, hasCursor }) => {
      const random = randomFrom(seed);
      const records = Array.from({ length: RECORDS }, (_, id) => interleave(id, hasCursor, random));
      const place = await mkdtemp(join(folder, 'table-'));
      await duckdb.connect(async (connection) => {
        const [table, newest] = [new LocalTable(connection, place, mode), new Newest()];
        for (let round = 0; round < ROUNDS; round++) {
          const arrivals = records.flatMap((rounds) => rounds[round] ?? []);
          await table.receive(arrivals);
          for (const arrival of arrivals) newest.add(arrival);
          expect(await table.values()).toEqual(newest.values);
        }
      });
      await rm(place, { recursive: true });
    });
    await fc.assert(property, { numRuns: atScale(1, 200) });
  }, 1_800_000);
});
