import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { stringify } from 'yaml';
import type {
  ConnectorDefinition,
  GroupingDefinition,
  InboundStrategyDefinition,
  StrategyDefinition,
  TapDefinition,
  VendorDefinition,
} from '../../../src/catalog/definitions/definition.js';
import { DefinitionError, parseDefinition } from '../../../src/catalog/definitions/read-definitions.js';
import { PROJECT_ROOT } from '../../../src/kernel/project-root.js';

/** Each call of this and the following builders returns new objects, which a test may modify. */
export function aVendor(overrides: Partial<VendorDefinition> = {}): VendorDefinition {
  return {
    slug: 'acme',
    name: 'Acme',
    sortOrder: 10,
    connectors: [aConnector()],
    groupings: [aGrouping()],
    ...overrides,
  };
}

export function aConnector(overrides: Partial<ConnectorDefinition> = {}): ConnectorDefinition {
  return {
    key: 'main',
    name: 'Acme API',
    integrationClass: 'api',
    protocolType: 'rest',
    releaseStatus: 'published',
    defaultBaseUrl: 'https://api.acme.test',
    supportedAuthStrategies: [aStrategy()],
    taps: [aTap()],
    ...overrides,
  };
}

export function aStrategy(overrides: Partial<StrategyDefinition> = {}): StrategyDefinition {
  return {
    key: 'token',
    type: 'bearer',
    label: 'Token',
    configSchema: aConfigSchema({ token: { type: 'string', secret: true } }),
    bearerConfig: { tokenField: 'token' },
    verification: { url: '/me' },
    ...overrides,
  };
}

export function aConfigSchema(properties: object): Record<string, unknown> {
  return { type: 'object', additionalProperties: false, properties };
}

export function anInboundStrategy(overrides: Partial<InboundStrategyDefinition> = {}): InboundStrategyDefinition {
  return { key: 'inbound', handshakeKind: 'none', verificationType: 'none', ...overrides };
}

export function aTap(overrides: Partial<TapDefinition> = {}): TapDefinition {
  return {
    name: 'issues',
    enabledByDefault: true,
    identityDirectory: false,
    responseExtraction: { primaryKey: 'id' },
    schema: { type: 'object', properties: { id: { type: 'integer' } } },
    sync: { mode: 'full' },
    transportOptions: [{ apiType: 'rest', restConfig: { endpoint: '/issues' } }],
    ...overrides,
  };
}

/** Without child groupings, returns a leaf with the connector `main`. */
export function aGrouping(overrides: Partial<GroupingDefinition> = {}): GroupingDefinition {
  return {
    slug: 'issues',
    name: 'Issues',
    releaseStage: 'ga',
    ...(overrides.groupings?.length ? {} : { connector: 'main' }),
    ...overrides,
  };
}

export function withConnector(overrides: Partial<ConnectorDefinition>): VendorDefinition {
  return aVendor({ connectors: [aConnector(overrides)] });
}

export function withStrategy(overrides: Partial<StrategyDefinition>): VendorDefinition {
  return withConnector({ supportedAuthStrategies: [aStrategy(overrides)] });
}

/** The definition violates only this rule. `at` is the text at the position of the fault, without line breaks. */
export type BrokenDefinition = [rule: string, what: string, definition: VendorDefinition, at: string];

export function yamlOf(definition: object): string {
  return stringify(definition, { aliasDuplicateObjects: false });
}

/** A failing test prints this seed. Set TEST_SEED to this value to repeat the test. */
export const seed = Number(process.env.TEST_SEED ?? Date.now() % 2 ** 32);

export function definitionFaultsOf(text: string): readonly string[] {
  try {
    parseDefinition(text, 'acme.yaml');
  } catch (error) {
    if (error instanceof DefinitionError) return error.faults;
    throw error;
  }
  return [];
}

/**
 * Expects a violation of `rule` and no other violation. `at` is the text at the position of the violation, without line
 * breaks.
 */
export function expectFault(definition: VendorDefinition, rule: string, at: string): void {
  const text = yamlOf(definition);
  const [fault, ...others] = definitionFaultsOf(text);
  expect(others).toEqual([]);
  expect(fault).toMatch(new RegExp(`^acme\\.yaml:\\d+:\\d+ ${rule}: .`));
  const [line, column] = (fault as string).split(/[: ]/).slice(1, 3).map(Number) as [number, number];
  const rest = text
    .split('\n')
    .slice(line - 1)
    .join('\n')
    .slice(column - 1);
  expect(rest.replaceAll(/\s+/g, ' ').slice(0, at.length)).toBe(at);
}

/** Assumes that every quoted name with a hyphen and every value of `rule:` is the name of a rule. */
export function rulesIn(files: readonly string[]): string[] {
  const texts = files.map((name) =>
    readFileSync(join(PROJECT_ROOT, 'src', 'catalog', 'definitions', `${name}.ts`), 'utf8'),
  );
  const names = texts.join('\n').matchAll(/'([a-z]+(?:-[a-z]+)+)'|\brule: ['"`]([^'"`]+)/g);
  return [...new Set([...names].map(([, hyphened, named]) => (hyphened ?? named) as string))].sort();
}
