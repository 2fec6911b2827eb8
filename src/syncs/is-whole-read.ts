import type { Connector } from '../catalog/model/connector.js';
import type { ConnectorTap } from '../catalog/model/connector-tap.js';
import { isMergedMode } from '../catalog/model/table-mode.js';
import type { Lean } from '../kernel/reading/reader.js';
import type { TapRun } from './tap-run.js';

interface TapRead {
  readonly definition: Lean<ConnectorTap>;
  readonly connector: Lean<Connector>;
  readonly run: Pick<Lean<TapRun>, 'mode' | 'rangeFrom'>;
  /** Set if the tap feeds the table of another tap. */
  readonly feed?: unknown;
}

/**
 * Returns whether a complete run reads all records of the tap at the source. If so, a record that the table contains
 * but the run did not read no longer exists at the source.
 *
 * True only for a full read of a tap with `deletionSemantics: by_absence` in mode `upsert` or `history`. Even then,
 * false for:
 * - a run of a time range
 * - a tap whose filters exclude records or parents
 * - a tap that feeds the table of another tap
 */
export function isWholeRead({ definition, connector, run, feed }: TapRead): boolean {
  const { name, sync, deletionSemantics, responseExtraction } = definition;
  const parents = (connector.traversal?.edges ?? []).filter(({ to }) => to === name);
  return (
    deletionSemantics === 'by_absence' &&
    sync.mode === 'full' &&
    isMergedMode(run.mode) &&
    run.rangeFrom == null &&
    feed === undefined &&
    responseExtraction.recordFilter == null &&
    parents.every(({ parentEligibility }) => !parentEligibility?.length)
  );
}
