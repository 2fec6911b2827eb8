import type { Bounds } from '../../kernel/entities/field-limits.js';
import { overrideRow } from '../../kernel/reading/override-row.js';
import type { Lean } from '../../kernel/reading/reader.js';
import type { Connector } from './connector.js';
import type { ConnectorTap } from './connector-tap.js';

/** Variable of requests with the name of the object at the source. */
export const OBJECT_NAME = 'objectName';

/** Names that cannot change the meaning of a request. */
export const OBJECT_NAME_BOUNDS = {
  ...{ minLength: 1, maxLength: 200, pattern: '^[A-Za-z0-9_][A-Za-z0-9_.:-]*$' },
  says: 'must start with a letter, a digit or _, and continue with letters, digits and _ . : -',
} as const satisfies Bounds;

/** Whether the tap is read once per object that a workspace has added. */
export function isObjectTap(
  { fieldDiscovery }: Pick<Lean<Connector>, 'fieldDiscovery'>,
  { name }: Pick<Lean<ConnectorTap>, 'name'>,
): boolean {
  return fieldDiscovery?.objects?.tap === name;
}

/** The definition of a workspace tap. If the tap has an object, the definition for this object. */
export function tapForObject(
  definition: Lean<ConnectorTap>,
  objectName: string | null | undefined,
): Lean<ConnectorTap> {
  return objectName ? overrideRow(definition, { objectName }) : definition;
}
