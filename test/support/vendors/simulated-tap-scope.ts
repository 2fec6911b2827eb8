import type { ConnectorDefinition, TapDefinition } from '../../../src/catalog/definitions/definition.js';
import { childScope } from '../../../src/syncs/responses/child-scope.js';
import type { SliceScope } from '../../../src/syncs/tap-reading.js';
import { type SimulatedTap, sampleRecord, type VendorValues } from './simulated-tap-records.js';

/** The fields of a tap's records that come from the parent record. */
export function addedFieldsOf({ traversal }: ConnectorDefinition, { name, parentContextFields }: TapDefinition) {
  const edges = traversal?.edges?.filter(({ to }) => to === name) ?? [];
  const copied = [...(parentContextFields ?? []), ...edges.flatMap((edge) => edge.parentContextFields ?? [])];
  return copied.map(({ targetField }) => targetField);
}

/** Variables and parent fields of a tap whose ancestors are the nth sample records. */
export function sampleScope(
  connector: ConnectorDefinition,
  tap: TapDefinition,
  { values, nth = 0 }: { values?: VendorValues | undefined; nth?: number | undefined },
): SliceScope {
  const edge = connector.traversal?.edges?.find(({ to }) => to === tap.name);
  const parent = connector.taps?.find(({ name }) => name === edge?.from);
  if (!edge || !parent) return { variables: {}, parentFields: {} };
  const { parentFields } = sampleScope(connector, parent, { values, nth });
  const added = addedFieldsOf(connector, parent);
  const record = { ...sampleRecord(parent as unknown as SimulatedTap, nth, { values, added }), ...parentFields };
  const scope = childScope(edge, record, tap.parentContextFields);
  if (!scope) throw new Error(`The sample record of ${parent.name} has no value of ${edge.parentKeyField}.`);
  return scope;
}
