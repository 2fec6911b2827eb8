import type { ConnectorTap } from '../../catalog/model/connector-tap.js';
import type { Lean } from '../../kernel/reading/reader.js';

/** Returns whether the service reads the tap. The records of other taps come from senders or from a file. */
export function isPulledTap(definition: Lean<ConnectorTap> | undefined): definition is Lean<ConnectorTap> {
  return definition !== undefined && definition.sync.mode !== 'push' && definition.transportOptions.length > 0;
}
