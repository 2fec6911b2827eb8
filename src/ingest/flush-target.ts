import { ConnectorTap } from '../catalog/model/connector-tap.js';
import { type DeletedRows, isMergedMode, modeOf } from '../catalog/model/table-mode.js';
import { TenantConnectorTap } from '../instances/tenant-connector-tap.js';
import { LeaseLost } from '../kernel/concurrency/lease.js';
import type { Lean, Reader } from '../kernel/reading/reader.js';
import { fedLine, identifyFedLine } from '../syncs/responses/fed-record.js';
import { identifyPushedRecord } from '../syncs/responses/identify-record.js';
import { CatalogTable } from '../tables/catalog-table.js';
import { nextModeOf } from '../tables/merge/next-mode.js';
import { ADD_COLUMNS, type Drift, driftOf } from '../tables/records/drift.js';
import type { RecordIdentity } from '../tables/records/record-identity.js';
import type { RowGate, TableHooks } from '../tables/table-hooks.js';
import type { TableSchema } from '../tables/table-schema.js';

export interface FlushTarget {
  readonly schema: TableSchema;
  readonly schemaVersion: number;
  readonly gate: RowGate;
  readonly deletedRows: DeletedRows;
  /** Undefined if every record becomes a new row. */
  readonly mode?: 'upsert' | 'history' | undefined;
  readonly drift: Drift;
  /** Extracts the record from the JSON text of an event. If undefined, the whole text is the record. */
  readonly recordOf?: ((line: string) => string) | undefined;
  /** Undefined if every record becomes a new row. */
  readonly identify?: ((line: string, receivedAt: string) => RecordIdentity) | undefined;
}

/** Throws `LeaseLost` if the table does not exist or no longer receives the records of the tap. */
export async function readFlushTarget(
  read: Reader,
  hooks: TableHooks,
  tableId: string,
  tapId: string,
): Promise<FlushTarget> {
  const table = await read.byId(CatalogTable, tableId);
  if (!table) throw new LeaseLost();
  const tap = await read.byId(TenantConnectorTap, table.tap);
  const definition = (tap?.tap && (await read.byId(ConnectorTap, tap.tap))) || undefined;
  const { schema, schemaVersion } = table;
  const next = tap && definition ? await nextModeOf(read, tap, definition) : 'append';
  // A tap run that replaces the table keeps the records that senders push during the tap run. If the mode of the tap
  // requires keys, the pushed records get keys.
  const mode = tap && next === 'replace' ? modeOf(tap, definition) : next;
  const target = {
    ...{ schema, schemaVersion, gate: await hooks.openGate(read, table) },
    ...{ deletedRows: tap?.deletedRows ?? 'remove', drift: tap ? driftOf(tap) : ADD_COLUMNS },
  };
  const source = table.tap === tapId ? definition : await definitionOf(read, tapId);
  if (definition && source && isMergedMode(mode))
    return { ...target, mode, ...(source === definition ? ownRecords(definition) : fedRecords(source, definition)) };
  if (table.tap !== tapId) throw new LeaseLost();
  return target;
}

type RecordReaders = Pick<FlushTarget, 'identify' | 'recordOf'>;

function ownRecords(definition: Lean<ConnectorTap>): RecordReaders {
  return { identify: (line, receivedAt) => identifyPushedRecord(definition, line, receivedAt) };
}

function fedRecords(source: Lean<ConnectorTap>, target: Lean<ConnectorTap>): RecordReaders {
  const feed = { source, target };
  return {
    identify: (line, receivedAt) => identifyFedLine(feed, line, receivedAt),
    recordOf: (line) => fedLine(feed, line),
  };
}

async function definitionOf(read: Reader, tapId: string): Promise<Lean<ConnectorTap> | undefined> {
  const tap = await read.byId(TenantConnectorTap, tapId);
  return (tap?.tap && (await read.byId(ConnectorTap, tap.tap))) || undefined;
}
