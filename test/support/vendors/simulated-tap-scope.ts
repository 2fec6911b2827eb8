import type { ConnectorDefinition, TapDefinition } from '../../../src/catalog/definitions/definition.js';
import type { TransportOption } from '../../../src/catalog/model/transport-option.js';
import { templateVariables } from '../../../src/catalog/template-variables.js';
import { PARENT_VALUES, parentFilterOf } from '../../../src/syncs/requests/parent-filter.js';
import { childScope } from '../../../src/syncs/responses/child-scope.js';
import type { SliceScope } from '../../../src/syncs/tap-reading.js';
import { CONFIG_VALUES } from '../catalog/shipped-configs.js';
import { type SimulatedTap, sampleRecord, type VendorValues } from './simulated-tap-records.js';

interface SampleOptions {
  readonly values?: VendorValues | undefined;
  readonly nth?: number | undefined;
}

/** Names of the fields that come from the parent record or a fan-out. */
export function addedFieldsOf(connector: ConnectorDefinition, tap: TapDefinition): string[] {
  const edges = connector.traversal?.edges?.filter(({ to }) => to === tap.name) ?? [];
  const copied = [...(tap.parentContextFields ?? []), ...edges.flatMap((edge) => edge.parentContextFields ?? [])];
  return [...copied, ...fanoutsOf(connector, tap)].flatMap(({ targetField }) => targetField ?? []);
}

/** Uses the first value of each fan-out, and sample records with the number `nth` as ancestors. */
export function sampleScope(connector: ConnectorDefinition, tap: TapDefinition, options: SampleOptions): SliceScope {
  const { variables, parentFields } = parentScope(connector, tap, options);
  const items = fanoutsOf(connector, tap);
  const fields = items.flatMap(({ targetField, value }) => (targetField ? [[targetField, value] as const] : []));
  return {
    variables: {
      ...variables,
      ...Object.fromEntries(items.map(({ templateVariable, value }) => [templateVariable, value])),
    },
    parentFields: { ...parentFields, ...Object.fromEntries(fields) },
  };
}

/** Returns the fan-outs that the requests of the tap use, each with its first value. */
function fanoutsOf({ traversal }: ConnectorDefinition, { transportOptions }: TapDefinition) {
  const used = templateVariables(JSON.stringify(transportOptions));
  const fixed = (traversal?.staticFanouts ?? []).map(({ values: [value = ''], ...fanout }) => ({ ...fanout, value }));
  const configured = (traversal?.configFanouts ?? []).map((fanout) => ({
    ...fanout,
    value: CONFIG_VALUES[fanout.configField] ?? '',
  }));
  return [...fixed, ...configured].filter(({ templateVariable }) => used.includes(templateVariable));
}

function parentScope(
  connector: ConnectorDefinition,
  tap: TapDefinition,
  { values, nth = 0 }: SampleOptions,
): SliceScope {
  const edge = connector.traversal?.edges?.find(({ to }) => to === tap.name);
  const parent = connector.taps?.find(({ name }) => name === edge?.from);
  if (!edge || !parent) return { variables: {}, parentFields: {} };
  const { parentFields } = sampleScope(connector, parent, { values, nth });
  const added = addedFieldsOf(connector, parent);
  const record = { ...sampleRecord(parent as unknown as SimulatedTap, nth, { values, added }), ...parentFields };
  const scope = childScope(edge, record, tap.parentContextFields);
  if (!scope) throw new Error(`The sample record of ${parent.name} has no value of ${edge.parentKeyField}.`);
  const filter = parentFilterOf(tap.transportOptions as unknown as TransportOption[]);
  if (!filter) return scope;
  return { ...scope, variables: { ...scope.variables, [PARENT_VALUES]: JSON.stringify([record[filter.field]]) } };
}
