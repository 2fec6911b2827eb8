import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { deferPrepared } from '../../kernel/execute-prepared.js';
import { decodeId } from '../../kernel/ids.js';
import type { Reader } from '../../kernel/reading/reader.js';
import type { PageToken } from '../page-token.js';
import type { SavedCursor } from '../saved-cursor.js';
import { SeenRecords } from '../seen-records.js';
import type { SyncSliceState } from '../sync-slice.js';
import type { SliceScope } from '../tap-reading.js';
import type { ParentScope } from './parent-version.js';

interface RunRef {
  readonly tenantId: string;
  readonly runId: string;
}

export interface PlannedSlice extends ParentScope {
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  /** Position at which an earlier run stopped. */
  readonly pageToken?: PageToken | undefined;
  readonly cursor?: SavedCursor | undefined;
}

export interface OpenSlice extends SliceScope {
  readonly id: string;
  readonly ordinal: number;
  since: Date | undefined;
  readonly until: Date | undefined;
  pageToken: PageToken | undefined;
  cursor: SavedCursor | undefined;
  parentVersion: string | undefined;
  state: SyncSliceState;
  recordsRead: number;
}

const INSERT_SLICES = `
insert into sync_slice (id, tenant_id, tap_run_id, ordinal, variables, parent_fields, since, until, page_token, cursor, parent_version, state, records_read)
select gen_random_uuid(), ?, ?, s.ordinal, s.variables, s."parentFields", s.since, s.until, s."pageToken", s.cursor, s."parentVersion", 'open',
  coalesce(s."recordsRead", 0)
from json_to_recordset(?::json)
  as s(ordinal int, variables json, "parentFields" json, since timestamptz, until timestamptz, "pageToken" json, cursor json, "parentVersion" text,
    "recordsRead" bigint)`;

export const SLICE_COLUMNS = `
s.id, ordinal, variables, parent_fields, extract(epoch from since) * 1000, extract(epoch from until) * 1000, page_token,
  cursor, s.records_read, parent_version`;

const SELECT_OPEN_SLICES = `
select ${SLICE_COLUMNS} from sync_slice s where tenant_id = $1 and tap_run_id = $2 and state = 'open' and ordinal > $3 order by ordinal limit $4`;

const SAVE_SLICES = `
update sync_slice set state = s.state, page_token = s."pageToken", cursor = s.cursor, since = s.since, records_read = s."recordsRead",
  parent_version = s."parentVersion"
from json_to_recordset(?::json) as s(id uuid, state text, "pageToken" json, cursor json, since timestamptz, "recordsRead" bigint, "parentVersion" text)
where tenant_id = ? and tap_run_id = ? and sync_slice.id = s.id`;

const DELETE_SLICES = 'delete from sync_slice where tenant_id = ? and tap_run_id = ?';

/** Inserts open slices. Slices that `toUnsavedSlice` has returned keep their ordinals, and get new ids. */
export async function insertSlices(
  em: EntityManager,
  { tenantId, runId }: RunRef,
  slices: readonly (PlannedSlice | OpenSlice)[],
  firstOrdinal = 0,
): Promise<void> {
  const rows = slices.map((slice, at) => ({ ordinal: firstOrdinal + at, ...slice }));
  await deferPrepared(em, INSERT_SLICES, [decodeId(tenantId), decodeId(runId), JSON.stringify(rows)]);
}

export function toUnsavedSlice(
  { variables, parentFields, since, until, pageToken, cursor, parentVersion }: PlannedSlice,
  ordinal: number,
): OpenSlice {
  const position = { since, until, pageToken, cursor, parentVersion };
  return { id: randomUUID(), ordinal, variables, parentFields, ...position, state: 'open', recordsRead: 0 };
}

/** `after` is an ordinal. */
export async function readOpenSlices(
  read: Reader,
  { tenantId, runId }: RunRef,
  after: number,
  limit: number,
): Promise<OpenSlice[]> {
  const rows = await read.rows(SELECT_OPEN_SLICES, [decodeId(tenantId), decodeId(runId), after, limit]);
  return rows.map(toOpenSlice);
}

export function toOpenSlice(row: (string | null)[]): OpenSlice {
  const [id, ordinal, variables, parentFields, since, until, pageToken, cursor, recordsRead, parentVersion] = row;
  const token = pageToken == null ? undefined : JSON.parse(pageToken);
  const timeOf = (text: string | null | undefined) => (text == null ? undefined : new Date(Number(text)));
  const jsonOf = (text: string | null | undefined) => (text == null ? undefined : JSON.parse(text));
  return {
    ...{ id: id as string, ordinal: Number(ordinal), state: 'open', recordsRead: Number(recordsRead) },
    ...{ variables: jsonOf(variables), parentFields: jsonOf(parentFields) },
    ...{
      since: timeOf(since),
      until: timeOf(until),
      pageToken: token?.seen ? { ...token, seen: new SeenRecords(token.seen) } : token,
      cursor: jsonOf(cursor),
    },
    parentVersion: parentVersion ?? undefined,
  };
}

export async function saveSlices(
  em: EntityManager,
  { tenantId, runId }: RunRef,
  slices: readonly OpenSlice[],
): Promise<void> {
  if (slices.length === 0) return;
  const rows = slices.map(({ id, state, pageToken, cursor, since, recordsRead, parentVersion }) => ({
    ...{ id, state, pageToken: pageToken ?? null, cursor: cursor ?? null, since: since ?? null, recordsRead },
    parentVersion: parentVersion ?? null,
  }));
  await deferPrepared(em, SAVE_SLICES, [JSON.stringify(rows), decodeId(tenantId), decodeId(runId)]);
}

export async function deleteSlices(em: EntityManager, { tenantId, runId }: RunRef): Promise<void> {
  await deferPrepared(em, DELETE_SLICES, [decodeId(tenantId), decodeId(runId)]);
}
