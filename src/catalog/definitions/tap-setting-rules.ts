import { parseJsonPath } from '../../kernel/formats/json-path.js';
import { compileTimeFormat } from '../../kernel/formats/time-format.js';
import { OBJECT_NAME } from '../model/object-tap.js';
import { parentVariableOf } from '../model/parent-variable.js';
import { KEY_ALGORITHMS } from '../model/response-extraction.js';
import { CURSOR_VALUE_FORMATS } from '../model/tap-sync.js';
import { secretFieldsOf } from '../secret-fields.js';
import { templateVariables } from '../template-variables.js';
import type { ConnectorDefinition, DefinitionFault, DefinitionPath, TapDefinition } from './definition.js';
import { type PlacedValue, selectValues } from './select-values.js';
import { connectorFieldNames } from './strategy-rules.js';
import {
  TAP_ADDRESSES,
  TAP_CURSOR_FORMATS,
  TAP_EXPRESSIONS,
  TAP_FIELD_PATTERNS,
  TAP_JSON_PATHS,
  TAP_KEY_ALGORITHMS,
  TAP_TEMPLATES,
  TAP_TIME_FORMATS,
} from './tap-settings.js';
import { expressionErrorOf } from './verification-rules.js';

interface TextRule {
  readonly rule: string;
  readonly paths: readonly string[];
  /** Returns undefined for a valid text. */
  readonly errorOf: (text: string) => string | undefined;
}

const TEXT_RULES: readonly TextRule[] = [
  {
    rule: 'expression-compiles',
    paths: TAP_EXPRESSIONS,
    errorOf: (text) => {
      const error = expressionErrorOf(text);
      return error && `is not valid JMESPath: ${error}`;
    },
  },
  {
    rule: 'body-path-is-valid',
    paths: TAP_JSON_PATHS,
    errorOf: (text) => (parseJsonPath(text) ? undefined : 'is not a path such as filters[0].value'),
  },
  {
    rule: 'time-format-is-supported',
    paths: TAP_TIME_FORMATS,
    errorOf: (text) => (compileTimeFormat(text) ? undefined : `has the unsupported format ${text}`),
  },
  {
    rule: 'cursor-format-is-supported',
    paths: TAP_CURSOR_FORMATS,
    errorOf: (text) => notOneOf(CURSOR_VALUE_FORMATS, text),
  },
  { rule: 'key-algorithm-exists', paths: TAP_KEY_ALGORITHMS, errorOf: (text) => notOneOf(KEY_ALGORITHMS, text) },
  {
    rule: 'field-pattern-compiles',
    paths: TAP_FIELD_PATTERNS,
    errorOf: (text) => (compiles(text) ? undefined : 'is not a regular expression'),
  },
];

export function checkTapSettings(connector: ConnectorDefinition, path: DefinitionPath): DefinitionFault[] {
  return connector.taps.flatMap((tap, index) =>
    [...textFaults(tap), ...variableFaults(connector, tap)].map(({ path: at, rule, message }) => ({
      path: [...path, 'taps', index, ...at],
      rule,
      message: `${tap.name}: ${message}`,
    })),
  );
}

function textFaults(tap: TapDefinition): DefinitionFault[] {
  return TEXT_RULES.flatMap(({ rule, paths, errorOf }) =>
    textsAt(tap, paths).flatMap(([path, text]) => {
      const error = errorOf(text);
      return error ? [{ path, rule, message: `${path.at(-1)} ${error}` }] : [];
    }),
  );
}

function variableFaults(connector: ConnectorDefinition, tap: TapDefinition): DefinitionFault[] {
  const values = valuesOf(connector, tap);
  const ofAddress = (connector.addressingConfig?.variables ?? []).map(({ name }) => name);
  const inAddress = new Set([...values, ...ofAddress, ...ownVariables(tap)]);
  const inText = new Set([...values, ...(tap.sync.mode === 'incremental' ? ['since', 'until'] : [])]);
  const secrets = secretNames(connector);
  const faultsAt = (paths: readonly string[], known: ReadonlySet<string>): DefinitionFault[] =>
    textsAt(tap, paths).flatMap(([path, text]) =>
      templateVariables(text)
        .filter((name) => !known.has(name))
        .map((name) => ({
          path,
          ...(secrets.has(name)
            ? { rule: 'template-has-no-secret', message: `{${name}} is a secret, which templates must not contain` }
            : { rule: 'template-variable-known', message: `nothing supplies a value for the variable {${name}}` }),
        })),
    );
  return [...faultsAt(TAP_ADDRESSES, inAddress), ...faultsAt(TAP_TEMPLATES, inText)];
}

/** Returns the variables that have the same value in all requests of a slice. Omits secrets. */
function valuesOf({ traversal, ...connector }: ConnectorDefinition, tap: TapDefinition): ReadonlySet<string> {
  const fromParent = (traversal?.edges ?? []).filter(({ to }) => to === tap.name);
  const secrets = secretNames(connector);
  const hasObject = tap.objectName !== undefined || connector.fieldDiscovery?.objects?.tap === tap.name;
  return new Set([
    ...(hasObject ? [OBJECT_NAME] : []),
    ...[...connectorFieldNames(connector)].filter((name) => !secrets.has(name)),
    ...[...(traversal?.configFanouts ?? []), ...(traversal?.staticFanouts ?? [])].map(
      ({ templateVariable }) => templateVariable,
    ),
    ...fromParent.map(parentVariableOf),
    ...fromParent.flatMap(({ parentContextFields = [] }) => parentContextFields.map(({ targetField }) => targetField)),
    ...(fromParent.length > 0 ? (tap.parentContextFields ?? []) : []).map(({ targetField }) => targetField),
  ]);
}

function ownVariables({ sync, transportOptions }: TapDefinition): string[] {
  const paginations = [...transportOptions.map(({ pagination }) => pagination), sync.asyncQuery?.recordsPagination];
  const sessions = paginations.flatMap((pagination) => pagination?.sessionPage?.sessionIdParam ?? []);
  return [...(sync.asyncQuery ? ['queryId'] : []), ...sessions];
}

function secretNames({ supportedAuthStrategies }: Pick<ConnectorDefinition, 'supportedAuthStrategies'>): Set<string> {
  return new Set(supportedAuthStrategies.flatMap(({ configSchema }) => secretFieldsOf(configSchema)));
}

function textsAt(tap: TapDefinition, paths: readonly string[]): (readonly [DefinitionPath, string])[] {
  const isText = (placed: PlacedValue): placed is readonly [DefinitionPath, string] => typeof placed[1] === 'string';
  return paths.flatMap((path) => selectValues(tap, path).filter(isText));
}

function notOneOf(allowed: readonly string[], text: string): string | undefined {
  return allowed.includes(text) ? undefined : `must be one of ${allowed.join(', ')}`;
}

function compiles(pattern: string): boolean {
  try {
    return Boolean(new RegExp(pattern, 'u'));
  } catch {
    return false;
  }
}
