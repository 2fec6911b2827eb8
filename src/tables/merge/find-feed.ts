import { ConnectorTap } from '../../catalog/model/connector-tap.js';
import { isMergedMode } from '../../catalog/model/table-mode.js';
import { TenantConnectorTap } from '../../instances/tenant-connector-tap.js';
import type { Lean, Reader } from '../../kernel/reading/reader.js';
import { nextModeOf } from './next-mode.js';

/** The tap whose table receives the records of another tap. */
export interface Feed {
  readonly tap: Lean<TenantConnectorTap>;
  readonly definition: Lean<ConnectorTap>;
  readonly mode: 'upsert' | 'history';
}

/**
 * Returns the fed tap. The selection of the workspace overrides the definition, which names a tap of the same
 * connection. Returns undefined if the fed tap is missing, deleted or `tap` itself, or if its table has no keys. The
 * records then belong to the table of `tap`.
 */
export async function findFeed(
  read: Reader,
  tap: Lean<TenantConnectorTap>,
  definition: Lean<ConnectorTap> | undefined,
): Promise<Feed | undefined> {
  const target = tap.feedsTapId
    ? await read.byId(TenantConnectorTap, tap.feedsTapId)
    : await findSibling(read, tap, definition);
  if (!target?.tap || target.deletedAt || target.id === tap.id) return undefined;
  const targetDefinition = await read.byId(ConnectorTap, target.tap);
  const mode = targetDefinition && (await nextModeOf(read, target, targetDefinition));
  return mode && isMergedMode(mode) ? { tap: target, definition: targetDefinition, mode } : undefined;
}

async function findSibling(
  read: Reader,
  { instance }: Lean<TenantConnectorTap>,
  definition: Lean<ConnectorTap> | undefined,
): Promise<Lean<TenantConnectorTap> | undefined> {
  if (!definition?.feeds || !instance) return undefined;
  const taps = await read.many(TenantConnectorTap, 'instance', instance);
  const definitions = await Promise.all(taps.map(({ tap }) => tap && read.byId(ConnectorTap, tap)));
  return taps.find((_, at) => (definitions[at] || undefined)?.name === definition.feeds?.tap);
}
