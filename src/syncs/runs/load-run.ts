import type { CatalogRevision } from '../../catalog/catalog-revision.js';
import { Connector } from '../../catalog/model/connector.js';
import { ConnectorTap } from '../../catalog/model/connector-tap.js';
import { tapForObject } from '../../catalog/model/object-tap.js';
import { PlatformVendor } from '../../catalog/model/platform-vendor.js';
import { type DeletedRows, isMergedMode, modeOf, type TapRunMode } from '../../catalog/model/table-mode.js';
import { findInstance } from '../../instances/find-instance.js';
import { SyncJob } from '../../instances/sync-job.js';
import { TenantConnectorTap } from '../../instances/tenant-connector-tap.js';
import type { Lean, Reader } from '../../kernel/reading/reader.js';
import type { TenantTransaction } from '../../kernel/reading/tenant-transaction.js';
import { ensureTableId } from '../../tables/ensure-table.js';
import { findFeed } from '../../tables/merge/find-feed.js';
import { type Drift, driftOf } from '../../tables/records/drift.js';
import { schemaOfTap } from '../../tables/records/record-schema.js';
import type { RecordFeed } from '../responses/fed-record.js';
import { TapRun } from '../tap-run.js';
import { isOpenRun } from '../tap-run-status.js';
import type { RunEnd } from './run-end.js';
import type { SyncStepData } from './sync-step-job.js';

export interface LoadedRun {
  readonly tenantId: string;
  readonly runId: string;
  readonly jobId: string;
  readonly instanceId: string;
  /** Id of the workspace tap. */
  readonly tapId: string;
  readonly tableId: string;
  readonly run: Lean<TapRun>;
  readonly definition: Lean<ConnectorTap>;
  readonly connector: Lean<Connector>;
  readonly vendorSlug: string;
  /** Undefined before the first load of the catalog. */
  readonly revision?: Lean<CatalogRevision> | undefined;
  readonly deletedRows: DeletedRows;
  readonly drift: Drift;
  /** Undefined if the tap feeds no other tap. */
  readonly feed?: RecordFeed;
  /** Current mode of the tap, or of the tap that it feeds. Can differ from `run.mode`. */
  readonly mode: TapRunMode;
  /**
   * Whether the run must wait because the syncs of the connection are paused. False for a sync that a caller has
   * started: such a sync continues.
   */
  readonly isPaused: boolean;
}

/**
 * Returns undefined if the run has ended. Returns a `RunEnd` if the service can no longer read the tap or its
 * connection.
 */
export async function loadRun(
  { em, read }: TenantTransaction,
  { tenantId, runId }: SyncStepData,
  revision: Lean<CatalogRevision> | undefined,
): Promise<LoadedRun | RunEnd | undefined> {
  const run = await read.byId(TapRun, runId);
  if (!run || !isOpenRun(run.status)) return undefined;
  const job = (await read.byId(SyncJob, run.job)) as Lean<SyncJob>;
  const tap = await read.byId(TenantConnectorTap, run.tap);
  const instance = await findInstance(read, job.instance);
  if (!instance?.enabled) return cancelled('The connection was disabled or deleted.');
  if (!tap?.enabled || tap.deletedAt) return cancelled('The tap was disabled or deleted.');
  const found = tap.tap && (await read.byId(ConnectorTap, tap.tap));
  const definition = found && tapForObject(found, tap.objectName);
  const connector = await read.byId(Connector, instance.connector);
  const vendor = connector && (await read.byId(PlatformVendor, connector.vendor));
  if (!definition || !vendor) return failed('The definition of the tap was removed.');
  const feed = isMergedMode(run.mode) ? await findFeed(read, tap, definition) : undefined;
  const target = feed ?? { tap, definition };
  const tableId = await ensureTableId(em, tenantId, target.tap.id, schemaOfTap(target.definition.schema));
  const ids = { tenantId, runId, revision, jobId: job.id, instanceId: instance.id, tapId: tap.id, tableId };
  const isPaused = instance.schedulePaused && job.trigger !== 'manual';
  const mode = modeOf(target.tap, target.definition);
  const settings = {
    ...{ deletedRows: target.tap.deletedRows, drift: driftOf(target.tap), mode },
    ...(feed && { feed: { source: definition, target: feed.definition } }),
  };
  return { ...ids, ...settings, run, definition, connector, vendorSlug: vendor.slug, isPaused };
}

/** `name` is the name of the tap in the definition. Also finds disabled and deleted taps. */
export async function findTapByName(
  read: Reader,
  instanceId: string,
  name: string,
): Promise<Lean<TenantConnectorTap> | undefined> {
  const taps = await read.many(TenantConnectorTap, 'instance', instanceId);
  const definitions = await Promise.all(taps.map(({ tap }) => tap && read.byId(ConnectorTap, tap)));
  return taps.find((_, at) => (definitions[at] || undefined)?.name === name);
}

function cancelled(errorMessage: string): RunEnd {
  return { status: 'cancelled', errorMessage };
}

function failed(errorMessage: string): RunEnd {
  return { status: 'failed', errorClass: 'configuration', errorMessage };
}
