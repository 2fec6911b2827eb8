import { OBJECT_NAME } from '../model/object-tap.js';
import type { ConnectorDefinition, DefinitionFault, DefinitionPath, TapDefinition } from './definition.js';
import { expressionErrorOf } from './verification-rules.js';

export function checkFieldDiscoveryRules(connector: ConnectorDefinition, path: DefinitionPath): DefinitionFault[] {
  return [...splitFaults(connector, path), ...objectFaults(connector, [...path, 'fieldDiscovery', 'objects'])];
}

function splitFaults({ fieldDiscovery, taps }: ConnectorDefinition, path: DefinitionPath): DefinitionFault[] {
  const { maxFieldsLength, wildcardToken } = fieldDiscovery ?? {};
  if (maxFieldsLength === undefined) return [];
  const at = [...path, 'fieldDiscovery', 'maxFieldsLength'];
  if (!wildcardToken || maxFieldsLength < 1) {
    const message = 'maxFieldsLength must be at least 1, and requires wildcardToken';
    return [{ path: at, rule: 'fields-have-a-length', message }];
  }
  return taps.flatMap((tap, index) => {
    const fault = JSON.stringify([tap.transportOptions, tap.sync]).includes(wildcardToken) && faultOf(tap);
    return fault
      ? [{ path: [...path, 'taps', index, 'name'], rule: 'split-fields-merge', message: `${tap.name}: ${fault}` }]
      : [];
  });
}

/**
 * Returns the reason why the service cannot merge several responses that each contain a part of one record. Returns
 * undefined if the service can merge them.
 */
function faultOf({ responseExtraction, transportOptions }: TapDefinition): string | undefined {
  const { primaryKey, syntheticPrimaryKey, recordParts } = responseExtraction;
  if (!primaryKey && !syntheticPrimaryKey) return 'maxFieldsLength requires a primary key';
  const resets = transportOptions.some(({ errorBodyRules }) =>
    errorBodyRules?.some(({ action }) => action === 'reset_paging'),
  );
  return recordParts || resets ? 'maxFieldsLength cannot be combined with recordParts or reset_paging' : undefined;
}

function objectFaults(
  { fieldDiscovery, taps, traversal }: ConnectorDefinition,
  path: DefinitionPath,
): DefinitionFault[] {
  const { objects, objectNameField = OBJECT_NAME } = fieldDiscovery ?? {};
  if (!objects) return [];
  const tap = taps.find(({ name }) => name === objects.tap);
  const requests = JSON.stringify([tap?.transportOptions, tap?.sync.incrementalParams]);
  const isRelated =
    (traversal?.edges ?? []).some(({ from, to }) => from === objects.tap || to === objects.tap) ||
    tap?.sync.bootstrapTap !== undefined ||
    taps.some(({ sync }) => sync.bootstrapTap === objects.tap);
  const checks: [boolean, string, string, string][] = [
    [
      tap !== undefined && tap.objectName === undefined && requests.includes(`{${OBJECT_NAME}}`),
      'tap',
      'objects-have-a-tap',
      `objects.tap must name a tap without objectName, and the requests of the named tap must contain {${OBJECT_NAME}}`,
    ],
    [
      !isRelated,
      'tap',
      'objects-are-roots',
      'the tap in objects.tap must have no parent, no children and no bootstrapTap, and no tap may use it as bootstrapTap',
    ],
    [
      objectNameField === OBJECT_NAME,
      'tap',
      'objects-name-their-field',
      `objects requires ${OBJECT_NAME} as objectNameField`,
    ],
    [
      expressionErrorOf(objects.listPath ?? '@') === undefined,
      'listPath',
      'objects-are-listed',
      'listPath is not valid JMESPath',
    ],
  ];
  return checks.filter(([isMet]) => !isMet).map(([, at, rule, message]) => ({ path: [...path, at], rule, message }));
}
