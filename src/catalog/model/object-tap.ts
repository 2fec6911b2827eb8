import type { Bounds } from '../../kernel/entities/field-limits.js';
import { overrideRow } from '../../kernel/reading/override-row.js';
import type { Lean } from '../../kernel/reading/reader.js';
import type { Connector } from './connector.js';
import type { ConnectorTap } from './connector-tap.js';

export const OBJECT_NAME = 'objectName';

/** The allowed characters cannot change the meaning of a request. */
export const OBJECT_NAME_BOUNDS = {
  ...{ minLength: 1, maxLength: 200, pattern: '^[A-Za-z0-9_][A-Za-z0-9_.:-]*$' },
  says: 'must start with a letter, a digit or _, and continue with letters, digits and _ . : -',
} as const satisfies Bounds;

/** Returns whether a sync reads the tap once per object that a workspace has added. */
export function isObjectTap(
  { fieldDiscovery }: Pick<Lean<Connector>, 'fieldDiscovery'>,
  { name }: Pick<Lean<ConnectorTap>, 'name'>,
): boolean {
  return fieldDiscovery?.objects?.tap === name;
}

export function tapForObject(
  definition: Lean<ConnectorTap>,
  objectName: string | null | undefined,
): Lean<ConnectorTap> {
  return objectName ? overrideRow(definition, { objectName }) : definition;
}
