import type { ConnectorDefinition, DefinitionFault, DefinitionPath, TapDefinition } from './definition.js';

/** Checks the discovery of fields at run time. */
export function checkFieldDiscoveryRules(
  { fieldDiscovery, taps }: ConnectorDefinition,
  path: DefinitionPath,
): DefinitionFault[] {
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

/** Why the records of several requests cannot be merged. */
function faultOf({ responseExtraction, transportOptions }: TapDefinition): string | undefined {
  const { primaryKey, syntheticPrimaryKey, recordParts } = responseExtraction;
  if (!primaryKey && !syntheticPrimaryKey) return 'maxFieldsLength requires a primary key';
  const resets = transportOptions.some(({ errorBodyRules }) =>
    errorBodyRules?.some(({ action }) => action === 'reset_paging'),
  );
  return recordParts || resets ? 'maxFieldsLength excludes recordParts and reset_paging' : undefined;
}
