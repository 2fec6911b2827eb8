import type { StagingArea } from '../staging/staging-area.js';
import type { RowOrigin } from '../staging/staging-file.js';
import type { ConvertedRecord } from './convert-record.js';

/** Identifies a version of a record, for a table that holds each record once. */
export interface RecordIdentity {
  /** Text of the primary key; undefined if the record has none. */
  readonly key: string | undefined;
  /** ISO 8601, UTC. */
  readonly version: string;
  readonly isDeleted: boolean;
}

const NO_KEY = 'the record is a deletion without a primary key';

/** Stages a record as a row, or as a reject. With an identity, the last fields of the schema are `RECORD_FIELDS`. */
export function stageConverted(
  staged: StagingArea,
  origin: RowOrigin,
  { converted, identity }: { readonly converted: ConvertedRecord; readonly identity: RecordIdentity | undefined },
  textOf: () => string,
): void {
  if ('reason' in converted) staged.reject(origin, converted.reason, textOf());
  else if (!identity) staged.add(origin, converted.values);
  else if (identity.isDeleted && identity.key === undefined) staged.reject(origin, NO_KEY, textOf());
  else staged.add(origin, [...converted.values, ...valuesOf(identity)]);
}

/** Records without a key have no version either. */
function valuesOf({ key, version, isDeleted }: RecordIdentity): (string | null)[] {
  return key === undefined ? [null, null, null] : [key, version, isDeleted ? 'true' : null];
}
