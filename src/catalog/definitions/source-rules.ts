import type { DefinitionSource } from '../model/definition-source.js';
import type { ConnectorDefinition, DefinitionFault, DefinitionPath } from './definition.js';

/**
 * A connector, strategy or tap. `sources` lists the origins of its settings, such as pages of the vendor's
 * documentation.
 */
export interface SourcedPart {
  readonly sources?: readonly DefinitionSource[];
  readonly unverified?: readonly string[];
}

export function checkSourceRules(connector: ConnectorDefinition, path: DefinitionPath): DefinitionFault[] {
  return [
    ...faultsOf(connector, path),
    ...(['supportedAuthStrategies', 'inboundAuthStrategies', 'taps'] as const).flatMap((list) =>
      (connector[list] ?? []).flatMap((part, index) => faultsOf(part, [...path, list, index])),
    ),
  ];
}

function faultsOf(part: SourcedPart, path: DefinitionPath): DefinitionFault[] {
  const { sources = [], unverified = [] } = part;
  return [
    ...sources.flatMap((source, index) => placeFaultsOf(source, [...path, 'sources', index])),
    ...unverified.flatMap((setting, index): DefinitionFault[] =>
      hasSetting(part, setting)
        ? []
        : [
            {
              path: [...path, 'unverified', index],
              rule: 'unverified-names-a-setting',
              message: `${setting} is not a setting of this connector, strategy or tap. Use the path of a setting, such as verification.failures`,
            },
          ],
    ),
  ];
}

function placeFaultsOf(
  { document, repository, path: file }: DefinitionSource,
  path: DefinitionPath,
): DefinitionFault[] {
  const isOnePlace = (document === undefined) !== (repository === undefined) && !(document && file);
  const message = 'a source has either document, or repository with an optional path';
  return isOnePlace ? [] : [{ path, rule: 'source-is-one-place', message }];
}

function hasSetting(part: object, setting: string): boolean {
  let value: unknown = part;
  for (const name of setting.split('.')) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, name)) return false;
    value = (value as Record<string, unknown>)[name];
  }
  return true;
}
