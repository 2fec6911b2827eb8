import { expect, it } from 'vitest';
import { readShippedDefinitions } from '../../src/catalog/definitions/shipped-definitions.js';
import { defaultContract, type TapFacts } from '../../src/quality/contracts/default-contract.js';
import { validateContract } from '../../src/quality/contracts/validate-contract.js';
import { schemaOfTap } from '../../src/tables/records/record-schema.js';

/** Values that the service adds to each contract. */
const REST = {
  allowsNewColumns: true,
  sigmaMethod: 'sample_stddev' as const,
  extraSpcRules: [],
  runScope: 'landing' as const,
};

const vendors = await readShippedDefinitions();
const taps = vendors.flatMap(({ slug, connectors = [] }) =>
  connectors.flatMap((connector) =>
    connector.taps.map((tap): [name: string, facts: TapFacts] => {
      const definition = tap as unknown as NonNullable<TapFacts['definition']>;
      const schema = schemaOfTap(tap.schema);
      return [`${slug}/${connector.key}/${tap.name}`, { schema, definition, hasConnection: true }];
    }),
  ),
);

function faultOf(check: () => void): unknown {
  try {
    check();
  } catch (error) {
    return error;
  }
}

it('every shipped tap creates contracts that the API would accept', () => {
  for (const [name, facts] of taps)
    for (const scope of ['tap', 'data'] as const) {
      const check = (): void => validateContract({ ...REST, ...defaultContract(scope, facts), scope }, facts.schema);
      expect([name, faultOf(check)]).toEqual([name, undefined]);
    }
  expect(taps.length).toBeGreaterThan(100);
});

it('every rule of a shipped tap becomes a rule of its contract', () => {
  for (const [name, facts] of taps) {
    const declared = facts.definition?.qualityConfig?.rules?.map(({ type }) => type) ?? [];
    const made = new Set<string>(defaultContract('tap', facts).rules.map(({ type }) => type));
    expect([name, declared.filter((type) => !made.has(type))]).toEqual([name, []]);
  }
});
