import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { TableLease } from '../../tables/files/table-lease.js';
import { writeTableFiles } from '../../tables/files/write-table-files.js';
import { RecordConverter } from '../../tables/records/convert-record.js';
import { stageConverted } from '../../tables/records/record-identity.js';
import { SchemaEvolution } from '../../tables/records/record-schema.js';
import { splitRecordFields } from '../../tables/records/split-record-fields.js';
import { StagingArea } from '../../tables/staging/staging-area.js';
import type { TableServices } from '../../tables/table-context.js';
import { type TableSchema, withRecordColumns } from '../../tables/table-schema.js';
import type { WrittenFile } from '../../tables/written-file.js';
import type { FlushTarget } from '../flush-target.js';
import { eachHeldRecord } from './held-records.js';

export type Decision = 'accept' | 'refuse';

interface DecidedFiles {
  readonly files: readonly WrittenFile[];
  /** The object `target.schema` itself if the records add no columns. */
  readonly schema: TableSchema;
}

interface HeldTable {
  readonly lease: TableLease;
  readonly target: FlushTarget;
  readonly held: readonly WrittenFile[];
}

const REFUSED = 'a person refused the new columns that the record needs';

/** Reads the records twice, because the type of a new column depends on all records. */
export async function writeDecidedFiles(
  services: TableServices,
  { lease, target, held }: HeldTable,
  decision: Decision,
): Promise<DecidedFiles> {
  const { tenantId, tableId, signal } = lease;
  const source = { tenantId, tableId, files: held, signal };
  const isAccepted = decision === 'accept';
  const evolution = new SchemaEvolution(target.schema);
  if (isAccepted) await eachHeldRecord(services, source, ({ record }) => evolution.observe(splitRecordFields(record)));
  const schema = evolution.result();
  const converter = new RecordConverter(schema);
  const columns = target.identify ? withRecordColumns(schema) : schema;
  const rows = await StagingArea.open(join(services.folder, randomUUID()), columns);
  try {
    await eachHeldRecord(
      services,
      source,
      ({ origin, record, identity }) => {
        if (!isAccepted) return rows.reject(origin, REFUSED, record);
        const known = target.identify && (identity ?? target.identify(record, origin.receivedAt));
        const converted = converter.convert(splitRecordFields(record));
        stageConverted(rows, origin, { converted, identity: known }, () => record);
      },
      () => rows.drained(),
    );
    const schemaVersion = target.schemaVersion + (schema === target.schema ? 0 : 1);
    // A full quota does not block the decision, because held records already count as used storage.
    const place = { tenantId, tableId, schemaVersion, schema: columns, enforcesQuota: false };
    return { files: await writeTableFiles(services, place, rows), schema };
  } finally {
    await rows.close();
  }
}
