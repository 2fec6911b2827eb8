import { createHash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { deferPrepared, executePrepared } from '../../kernel/execute-prepared.js';
import { decodeId, SYSTEM_USER_ID } from '../../kernel/ids.js';
import type { Reader } from '../../kernel/reading/reader.js';
import type { SavedCursor } from '../saved-cursor.js';

export interface TapRef {
  readonly tenantId: string;
  readonly tapId: string;
}

const SELECT_STATES = `
select partition, extract(epoch from cursor_time) * 1000, marks from tap_state
where tenant_id = $1 and tap_id = $2 and partition = any($3) and cursor_time is not null`;

const SAVE_STATES = `
insert into tap_state (id, created_at, created_by, updated_at, updated_by, tenant_id, tap_id, partition, cursor_time, marks)
select gen_random_uuid(), now(), u.id, now(), u.id, ?, ?, s.partition, to_timestamp(s.time / 1000.0), s.marks
from (select ?::uuid as id) u, json_to_recordset(?::json) as s(partition text, time float8, marks json)
on conflict (tenant_id, tap_id, partition) do update
set cursor_time = excluded.cursor_time, marks = excluded.marks, updated_at = now()`;

const DELETE_STATES = `delete from tap_state where tenant_id = ? and tap_id = ? and partition = any(?::text[])`;

const DELETE_ALL = 'delete from tap_state where tenant_id = ? and tap_id = ?';

/** The order of the request variables is irrelevant. */
export function partitionOf(variables: Readonly<Record<string, string>>): string {
  const sorted = Object.entries(variables).sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex');
}

export async function readTapStates(
  read: Reader,
  { tenantId, tapId }: TapRef,
  partitions: readonly string[],
): Promise<Map<string, SavedCursor>> {
  const rows = await read.rows(SELECT_STATES, [decodeId(tenantId), decodeId(tapId), partitions]);
  return new Map(
    rows.map(([partition, time, marks]) => [
      partition as string,
      { time: Number(time), marks: JSON.parse(marks as string) },
    ]),
  );
}

export async function forgetTapStates(em: EntityManager, { tenantId, tapId }: TapRef): Promise<void> {
  await executePrepared(em, DELETE_ALL, [decodeId(tenantId), decodeId(tapId)]);
}

/** An undefined cursor removes the saved cursor and the saved parent version of the partition. */
export async function saveTapStates(
  em: EntityManager,
  { tenantId, tapId }: TapRef,
  cursors: ReadonlyMap<string, SavedCursor | undefined>,
): Promise<void> {
  const tap = [decodeId(tenantId), decodeId(tapId)];
  const saved = [...cursors].flatMap(([partition, cursor]) => (cursor ? [{ partition, ...cursor }] : []));
  const removed = [...cursors].flatMap(([partition, cursor]) => (cursor ? [] : [partition]));
  if (removed.length > 0) await deferPrepared(em, DELETE_STATES, [...tap, `{${removed.join(',')}}`]);
  if (saved.length > 0) await deferPrepared(em, SAVE_STATES, [...tap, decodeId(SYSTEM_USER_ID), JSON.stringify(saved)]);
}
