import type { ConnectorTap } from '../../catalog/model/connector-tap.js';
import { modeOf, type TapRunMode } from '../../catalog/model/table-mode.js';
import type { TenantConnectorTap } from '../../instances/tenant-connector-tap.js';
import type { Lean, Reader } from '../../kernel/reading/reader.js';
import { hasRowsWithoutKeys } from './has-rows-without-keys.js';

/**
 * The mode of the next run or push of a tap. Unlike `modeOf`, never returns `upsert` while the table has rows that new
 * versions cannot replace. In this case, a full read replaces all rows, and other taps continue to append.
 */
export async function nextModeOf(
  read: Reader,
  tap: Lean<TenantConnectorTap>,
  definition: Lean<ConnectorTap>,
): Promise<TapRunMode> {
  const mode = modeOf(tap, definition);
  if (mode !== 'upsert' || !(await hasRowsWithoutKeys(read, tap))) return mode;
  return definition.sync.mode === 'full' ? 'replace' : 'append';
}
