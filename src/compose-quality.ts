import { gateRows } from './quality/runs/gate-rows.js';
import type { QualityServices } from './quality/runs/quality-services.js';
import { DuckDb } from './tables/duckdb.js';
import type { TableServices } from './tables/table-context.js';
import type { TableHooks } from './tables/table-hooks.js';

/** Of what rows are looked at with, in a DuckDB of its own, so that it does not take the memory of what writes them. */
const DUCKDB_MEMORY = '1GB';
const DUCKDB_THREADS = 2;

interface QualityComposition {
  readonly quality: QualityServices;
  readonly hooks: TableHooks;
}

/** What quality needs beyond a request, once for a process, and the table hooks that it provides. */
export function composeQuality({
  em,
  tables,
  jobs,
  report,
  folder,
  localFiles,
}: Omit<TableServices, 'hooks'>): QualityComposition {
  const duckdb = new DuckDb({ folder, memory: DUCKDB_MEMORY, threads: DUCKDB_THREADS });
  const quality = { em, tables, jobs, report, inspection: { duckdb, localFiles } };
  return { quality, hooks: gateRows(quality) };
}
