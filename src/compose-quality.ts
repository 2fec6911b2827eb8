import { gateRows } from './quality/runs/gate-rows.js';
import type { QualityServices } from './quality/runs/quality-services.js';
import { SyncBacklog } from './syncs/runs/sync-backlog.js';
import { DuckDb } from './tables/duckdb.js';
import type { TableServices } from './tables/table-context.js';
import type { TableHooks } from './tables/table-hooks.js';

/** A separate DuckDB checks rows, so that checks cannot take the memory of the DuckDB that writes rows. */
const DUCKDB_MEMORY = '1GB';
const DUCKDB_THREADS = 2;

interface QualityComposition {
  readonly quality: QualityServices;
  readonly hooks: TableHooks;
}

export function composeQuality({
  em,
  tables,
  jobs,
  report,
  folder,
  localFiles,
}: Omit<TableServices, 'hooks'>): QualityComposition {
  const duckdb = new DuckDb({ folder, memory: DUCKDB_MEMORY, threads: DUCKDB_THREADS });
  const quality = { em, tables, jobs, report, inspection: { duckdb, localFiles }, backlog: new SyncBacklog(em) };
  return { quality, hooks: gateRows(quality) };
}
