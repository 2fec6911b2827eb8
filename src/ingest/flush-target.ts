import { ConnectorTap } from '../catalog/model/connector-tap.js';
import { type DeletedRows, type DriftPolicy, isMergedMode } from '../catalog/model/table-mode.js';
import { TenantConnectorTap } from '../instances/tenant-connector-tap.js';
import { LeaseLost } from '../kernel/concurrency/lease.js';
import type { Reader } from '../kernel/reading/reader.js';
import { identifyPushedRecord } from '../syncs/responses/identify-record.js';
import { CatalogTable } from '../tables/catalog-table.js';
import { nextModeOf } from '../tables/merge/next-mode.js';
import type { RecordIdentity } from '../tables/records/record-identity.js';
import type { RowGate, TableHooks } from '../tables/table-hooks.js';
import type { TableSchema } from '../tables/table-schema.js';

/** The table that batches are loaded into. */
export interface FlushTarget {
  readonly schema: TableSchema;
  readonly schemaVersion: number;
  readonly gate: RowGate;
  readonly deletedRows: DeletedRows;
  /** Undefined if every record becomes a new row. */
  readonly mode?: 'upsert' | 'history' | undefined;
  readonly driftPolicy: DriftPolicy;
  /** Identity of a record from its JSON text; undefined if every record becomes a new row. */
  readonly identify?: ((line: string, receivedAt: string) => RecordIdentity) | undefined;
}

/** Throws `LeaseLost` if the table does not exist. */
export async function readFlushTarget(read: Reader, hooks: TableHooks, tableId: string): Promise<FlushTarget> {
  const table = await read.byId(CatalogTable, tableId);
  if (!table) throw new LeaseLost();
  const tap = await read.byId(TenantConnectorTap, table.tap);
  const definition = tap?.tap && (await read.byId(ConnectorTap, tap.tap));
  const { schema, schemaVersion } = table;
  const mode = definition ? await nextModeOf(read, tap, definition) : 'append';
  return {
    ...{ schema, schemaVersion, gate: await hooks.openGate(read, table) },
    ...{ deletedRows: tap?.deletedRows ?? 'remove', driftPolicy: tap?.driftPolicy ?? 'add' },
    ...(definition &&
      isMergedMode(mode) && {
        mode,
        identify: (line, receivedAt) => identifyPushedRecord(definition, line, receivedAt),
      }),
  };
}
