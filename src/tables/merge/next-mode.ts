import type { ConnectorTap } from '../../catalog/model/connector-tap.js';
import { isMergedMode, modeOf, type TapRunMode } from '../../catalog/model/table-mode.js';
import type { TenantConnectorTap } from '../../instances/tenant-connector-tap.js';
import type { Lean, Reader } from '../../kernel/reading/reader.js';
import { hasRowsWithoutKeys } from './has-rows-without-keys.js';

/**
 * Returns the mode of the next run or push of a tap. Unlike `modeOf`, never returns `upsert` or `history` while the
 * table has rows without keys, because new versions cannot change these rows. While the table has such rows, a full
 * read replaces all rows, and other reads and pushes append. After a reset of the tap, returns the mode of `modeOf`,
 * because the next run replaces all rows.
 */
export async function nextModeOf(
  read: Reader,
  tap: Lean<TenantConnectorTap>,
  definition: Lean<ConnectorTap>,
): Promise<TapRunMode> {
  const mode = modeOf(tap, definition);
  if (!isMergedMode(mode) || tap.resetAt || !(await hasRowsWithoutKeys(read, tap))) return mode;
  return definition.sync.mode === 'full' ? 'replace' : 'append';
}
