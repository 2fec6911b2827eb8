import type { EntityManager } from '@mikro-orm/postgresql';
import { deferPrepared } from '../../kernel/execute-prepared.js';
import { decodeId, SYSTEM_USER_ID } from '../../kernel/ids.js';
import type { Reader } from '../../kernel/reading/reader.js';
import { findTapByName, type LoadedRun } from '../runs/load-run.js';
import type { TapRef } from '../runs/tap-states.js';
import { TapRun } from '../tap-run.js';

const SELECT_VERSIONS = `
select partition, parent_version from tap_state
where tenant_id = $1 and tap_id = $2 and partition = any($3) and parent_version is not null`;

const SAVE_VERSIONS = `
insert into tap_state (id, created_at, created_by, updated_at, updated_by, tenant_id, tap_id, partition, marks, parent_version)
select gen_random_uuid(), now(), u.id, now(), u.id, ?, ?, s.partition, '{}', s.version
from (select ?::uuid as id) u, json_to_recordset(?::json) as s(partition text, version text)
on conflict (tenant_id, tap_id, partition) do update set parent_version = excluded.parent_version, updated_at = now()`;

const KEEP_VERSIONS = `
update tap_state set parent_checked_at = ? where tenant_id = ? and tap_id = ? and partition = any(?::text[])`;

const CLEAR_OTHERS = `
update tap_state set parent_version = null
where tenant_id = ? and tap_id = ? and parent_version is not null and parent_checked_at is distinct from ?`;

/**
 * Returns the parent taps whose `parentChangeField` shows whether children changed. Omits parent taps that this sync
 * does not read, because their tables may be out of date.
 */
export async function readComparableParents(read: Reader, loaded: LoadedRun): Promise<ReadonlySet<string>> {
  const { definition, connector, instanceId, jobId } = loaded;
  if (definition.sync.mode !== 'incremental') return new Set();
  const edges = connector.traversal?.edges ?? [];
  const names = edges.filter(({ to, parentChangeField }) => to === definition.name && parentChangeField);
  if (names.length === 0) return new Set();
  const taps = new Set((await read.many(TapRun, 'job', jobId)).map(({ tap }) => tap));
  const found = await Promise.all(names.map(({ from }) => findTapByName(read, instanceId, from)));
  return new Set(names.filter((_, at) => taps.has(found[at]?.id ?? '')).map(({ from }) => from));
}

/** Returns the version of the parent at the last complete read of its children, by partition. */
export async function readParentVersions(
  read: Reader,
  { tenantId, tapId }: TapRef,
  partitions: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await read.rows(SELECT_VERSIONS, [decodeId(tenantId), decodeId(tapId), partitions]);
  return new Map(rows.map(([partition, version]) => [partition as string, version as string]));
}

export async function saveParentVersions(
  em: EntityManager,
  { tenantId, tapId }: TapRef,
  versions: ReadonlyMap<string, string>,
): Promise<void> {
  if (versions.size === 0) return;
  const rows = [...versions].map(([partition, version]) => ({ partition, version }));
  const owner = [tenantId, tapId, SYSTEM_USER_ID].map(decodeId);
  await deferPrepared(em, SAVE_VERSIONS, [...owner, JSON.stringify(rows)]);
}

/**
 * Marks the partitions whose parent is unchanged. Afterwards, `clearOtherVersions` removes the versions of all other
 * partitions.
 */
export async function keepParentVersions(
  em: EntityManager,
  { tenantId, tapId, run }: Pick<LoadedRun, 'tenantId' | 'tapId' | 'run'>,
  partitions: readonly string[],
): Promise<void> {
  if (partitions.length === 0) return;
  await deferPrepared(em, KEEP_VERSIONS, [
    run.runUntil,
    decodeId(tenantId),
    decodeId(tapId),
    `{${partitions.join(',')}}`,
  ]);
}

/**
 * Removes the saved versions of parents that have changed or that the run did not find. If such a parent appears again
 * with the removed version, a run therefore still reads its children.
 */
export async function clearOtherVersions(em: EntityManager, { tenantId, tapId, run }: LoadedRun): Promise<void> {
  await deferPrepared(em, CLEAR_OTHERS, [decodeId(tenantId), decodeId(tapId), run.runUntil]);
}
