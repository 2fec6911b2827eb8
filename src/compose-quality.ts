import type { QualityParts } from './quality/quality-context.js';
import { watchArrivals } from './quality/watch-arrivals.js';
import { DuckDb } from './tables/duckdb.js';
import type { TableParts } from './tables/table-context.js';
import type { TableWatch } from './tables/table-watch.js';

/** Of what rows are looked at with, in a DuckDB of its own, so that it does not take the memory of what writes them. */
const MEMORY = '1GB';
const THREADS = 2;

interface Quality {
  readonly quality: QualityParts;
  readonly watch: TableWatch;
}

/** What quality needs beyond a request, once for a process, and the watch over tables that it makes. */
export function composeQuality({ em, tables, jobs, report, folder, localFiles }: Omit<TableParts, 'watch'>): Quality {
  const duckdb = new DuckDb({ folder, memory: MEMORY, threads: THREADS });
  const quality = { em, tables, jobs, report, inspection: { duckdb, localFiles } };
  return { quality, watch: watchArrivals(quality) };
}
