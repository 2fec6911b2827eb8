import type { Pagination, PaginationType } from '../model/pagination.js';
import { modeFaultOf } from '../model/table-mode.js';
import type { ConnectorDefinition, DefinitionFault, DefinitionPath, TapDefinition } from './definition.js';

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

  if (pushed && !connector.inboundAuthStrategies?.length)
    fault(['sync', 'mode'], 'senders-are-verified', 'sync mode push requires inboundAuthStrategies on the connector');
  if (pushed !== (tap.transportOptions.length === 0))
    fault(
      ['transportOptions'],
      'tap-has-transport',
      pushed ? 'sync mode push allows no transportOptions' : 'at least one transport option is required',
    );
  if (tap.deletionSemantics === 'by_tombstone' && !tap.tombstoneMarkerColumn) {
    fault(['deletionSemantics'], 'tombstone-is-named', 'by_tombstone requires tombstoneMarkerColumn');
  }
  if (tap.tombstoneValues && !tap.tombstoneMarkerColumn)
    fault(['tombstoneValues'], 'tombstone-is-named', 'tombstoneValues requires tombstoneMarkerColumn');
  const modeFault = tap.sync.tableMode && modeFaultOf(tap.sync.tableMode, tap as Parameters<typeof modeFaultOf>[1]);
  if (modeFault) fault(['sync', 'tableMode'], 'table-mode-is-possible', modeFault);
  tap.transportOptions.forEach(({ apiType, restConfig, graphqlConfig, pagination }, index) => {
    const at = ['transportOptions', index];
    const config = apiType === 'rest' ? restConfig : graphqlConfig;
    if (!config) fault(at, 'transport-is-configured', `apiType ${apiType} requires ${apiType}Config`);
    const settings = pagination && PAGINATION_SETTINGS[pagination.type];
    if (settings && !pagination[settings])
      fault(
        [...at, 'pagination'],
        'pagination-is-configured',
        `pagination type ${pagination.type} requires ${settings}`,
      );
  });
  return faults;
}
