import type { Pagination, PaginationType } from '../model/pagination.js';
import { templateVariables } from '../template-variables.js';
import type { ConnectorDefinition, DefinitionFault, DefinitionPath, TapDefinition } from './definition.js';
import { connectorFieldNames } from './strategy-rules.js';

const PAGINATION_SETTINGS: Record<PaginationType, keyof Pagination | undefined> = {
  none: undefined,
  link_header: undefined,
  cursor: 'cursor',
  offset: 'offset',
  page_number: 'pageNumber',
  session_page: 'sessionPage',
};

export function checkTapRules(connector: ConnectorDefinition, path: DefinitionPath): DefinitionFault[] {
  return connector.taps.flatMap((tap, index) => oneTap(connector, tap, [...path, 'taps', index]));
}

function oneTap(connector: ConnectorDefinition, tap: TapDefinition, path: DefinitionPath): DefinitionFault[] {
  const faults: DefinitionFault[] = [];
  const fault = (at: (string | number)[], rule: string, message: string) =>
    faults.push({ path: [...path, ...at], rule, message: `${tap.name}: ${message}` });
  const pushed = tap.sync.mode === 'push';
  const known = knownVariables(connector, tap);

  if (pushed && !connector.inboundAuthStrategies?.length)
    fault(['sync', 'mode'], 'senders-are-verified', 'it is pushed and the connector has no inboundAuthStrategies');
  if (pushed !== (tap.transportOptions.length === 0))
    fault(['transportOptions'], 'tap-has-transport', pushed ? 'a pushed tap has none' : 'a read tap has at least one');
  if (tap.deletionSemantics === 'by_tombstone' && !tap.tombstoneMarkerColumn) {
    fault(['deletionSemantics'], 'tombstone-is-named', 'by_tombstone needs tombstoneMarkerColumn');
  }
  tap.transportOptions.forEach(({ apiType, restConfig, graphqlConfig, pagination }, index) => {
    const at = ['transportOptions', index];
    const config = apiType === 'rest' ? restConfig : graphqlConfig;
    if (!config) fault(at, 'transport-is-configured', `${apiType} needs ${apiType}Config`);
    for (const name of templateVariables(config?.endpoint ?? '')) {
      if (!known.has(name)) fault(at, 'endpoint-variable-known', `nothing supplies {${name}} of the endpoint`);
    }
    const settings = pagination && PAGINATION_SETTINGS[pagination.type];
    if (settings && !pagination[settings])
      fault([...at, 'pagination'], 'pagination-is-configured', `type ${pagination.type} needs ${settings}`);
  });
  return faults;
}

/** What the endpoint of a tap may name: config fields, address variables, fan-outs, and what its parent hands down. */
function knownVariables({ traversal, ...connector }: ConnectorDefinition, tap: TapDefinition): ReadonlySet<string> {
  const fromParent = (traversal?.edges ?? []).filter(({ to }) => to === tap.name);
  return new Set([
    ...connectorFieldNames(connector),
    ...(connector.addressingConfig?.variables ?? []).map(({ name }) => name),
    ...(traversal?.configFanouts ?? []).map(({ templateVariable }) => templateVariable),
    ...fromParent.map(({ templateVariable, parentKeyField }) => templateVariable ?? parentKeyField),
    ...fromParent.flatMap(({ parentContextFields = [] }) => parentContextFields.map(({ targetField }) => targetField)),
  ]);
}
