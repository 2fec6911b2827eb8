import type { Connector } from '../catalog/model/connector.js';
import type { ConnectorTap } from '../catalog/model/connector-tap.js';
import { isMergedMode } from '../catalog/model/table-mode.js';
import type { Lean } from '../kernel/reading/reader.js';
import type { TapRun } from './tap-run.js';

interface TapRead {
  readonly definition: Lean<ConnectorTap>;
  readonly connector: Lean<Connector>;
  readonly run: Pick<Lean<TapRun>, 'mode' | 'rangeFrom'>;
  /** The table of another tap that receives the records, if there is one. */
  readonly feed?: unknown;
}

/**
 * Returns whether a complete run returns each record that exists at the source. Records of the table that the run did
 * not return then no longer exist at the source. True only for a full read of a tap with `deletionSemantics:
 * by_absence`. False for a time range, for a mode without keys, for a tap whose filters exclude records or parents, and
 * for a tap that feeds the table of another tap.
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
