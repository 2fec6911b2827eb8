import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { DuckDb } from '../../../src/tables/duckdb.js';
import type { TableField } from '../../../src/tables/table-schema.js';

/** Batch and time of receipt of every staged row. */
export const ORIGIN = { batch: randomUUID(), receivedAt: '2026-02-03T04:05:06.789Z' };

/** Opens DuckDB in a temporary folder until the end of the test file. */
export async function aStagingFolder(): Promise<{ folder: string; duckdb: DuckDb }> {
  const folder = await mkdtemp(join(tmpdir(), 'taproot-staged-'));
  const duckdb = new DuckDb({ folder });
  afterAll(async () => {
    await duckdb.close();
    await rm(folder, { recursive: true });
  });
  return { folder, duckdb };
}

/** Returns columns whose names need quotes in SQL. */
export const stringFields = (count: number): TableField[] =>
  Array.from({ length: count }, (_, nth) => ({ name: `"c' ${nth}`, type: 'String' }));
