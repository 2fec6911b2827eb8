import type { Traversal } from '../../catalog/model/traversal.js';
import type { SliceScope } from '../tap-reading.js';
import type { PreparedTap } from './prepare-tap.js';

const WHOLE_TAP: SliceScope = { variables: {}, parentFields: {} };
const DEFAULT_SEPARATOR = ',';

/**
 * Scopes of a tap without a parent: one per item of a config field if its requests contain the variable of a fan-out,
 * otherwise one. Several fan-outs combine to all pairs of items.
 */
export function rootScopes(traversal: Traversal | null | undefined, { option, config }: PreparedTap): SliceScope[] {
  const template = JSON.stringify(option);
  const fanouts = (traversal?.configFanouts ?? []).filter(({ templateVariable }) =>
    template.includes(`{${templateVariable}}`),
  );
  return fanouts.reduce<SliceScope[]>(
    (scopes, { configField, templateVariable, separator }) =>
      scopes.flatMap(({ variables, parentFields }) =>
        itemsOf(config[configField], separator ?? DEFAULT_SEPARATOR).map((item) => ({
          variables: { ...variables, [templateVariable]: item },
          parentFields,
        })),
      ),
    [WHOLE_TAP],
  );
}

/** Distinct items of a list, or of a string with separators. */
function itemsOf(value: unknown, separator: string): string[] {
  const items = Array.isArray(value) ? value.map(String) : typeof value === 'string' ? value.split(separator) : [];
  return [...new Set(items.map((item) => item.trim()).filter((item) => item !== ''))];
}
