import type { StagingArea } from '../staging/staging-area.js';
import type { RowOrigin } from '../staging/staging-file.js';
import { isAmbiguous } from '../staging/staging-format.js';
import type { ConvertedRecord } from './convert-record.js';

/** Identifies a version of a record, for a table with the mode `upsert` or `history`. */
export interface RecordIdentity {
  /** Text of the primary key. Undefined if the record has no primary key. */
  readonly key: string | undefined;
  /** A time in ISO 8601, UTC. */
  readonly version: string;
  readonly isDeleted: boolean;
  /** Whether the record comes from an event of another tap. Such a record must have a key. */
  readonly isFed?: boolean;
}

const NO_RECORD = 'the event contains no record with a primary key';
const NO_KEY = 'the record is a deletion without a primary key';

const NO_IDENTITY = [null, null, null];

/**
 * Stages a record as a row, as a held record or as a reject. If `identity` is defined, the last fields of the schema
 * must be `RECORD_FIELDS`.
 */
export function stageConverted(
  staged: StagingArea,
  origin: RowOrigin,
  { converted, identity }: { readonly converted: ConvertedRecord; readonly identity: RecordIdentity | undefined },
  textOf: () => string,
): void {
  if ('reason' in converted && !converted.needs) staged.reject(origin, converted.reason, textOf());
  else if (identity?.isFed && identity.key === undefined) staged.reject(origin, NO_RECORD, textOf());
  else if (identity?.isDeleted && identity.key === undefined) staged.reject(origin, NO_KEY, textOf());
  else if ('reason' in converted)
    staged.hold(
      origin,
      [converted.reason, textOf(), ...(identity ? valuesOf(identity) : NO_IDENTITY)],
      converted.needs ?? [],
    );
  else {
    const { values, isPlain } = converted;
    const row = identity ? [...values, ...valuesOf(identity)] : values;
    const hasPlainKey = identity?.key === undefined || !isAmbiguous(identity.key);
    if (isPlain && hasPlainKey) staged.addPlain(origin, row);
    else staged.add(origin, row);
  }
}

/** Values of the columns for key, version and deletion. Without a key, all are null. */
function valuesOf({ key, version, isDeleted }: RecordIdentity): (string | null)[] {
  return key === undefined ? [null, null, null] : [key, version, isDeleted ? 'true' : null];
}
