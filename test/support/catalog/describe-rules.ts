import { describe, expect, it } from 'vitest';
import type { VendorDefinition } from '../../../src/catalog/definitions/definition.js';
import { type BrokenDefinition, definitionFaultsOf, expectFault, rulesIn, yamlOf } from './definition-builders.js';

export type ValidDefinition = [what: string, definition: VendorDefinition];

/** `files` are names in `src/catalog/definitions`, without `.ts`. */
export function describeRules(
  subject: string,
  files: readonly string[],
  broken: readonly BrokenDefinition[],
  valid: readonly ValidDefinition[],
): void {
  describe(subject, () => {
    it.each(broken)('violates %s with %s', (rule, _, definition, at) => expectFault(definition, rule, at));

    it.each(valid)('may have %s', (_, definition) => expect(definitionFaultsOf(yamlOf(definition))).toEqual([]));

    it('has a test case for every rule', () => {
      expect([...new Set(broken.map(([rule]) => rule))].sort()).toEqual(rulesIn(files));
    });
  });
}
