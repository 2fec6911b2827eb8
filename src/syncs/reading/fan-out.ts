import type { Traversal } from '../../catalog/model/traversal.js';
import { templateVariables } from '../../catalog/template-variables.js';
import type { PreparedTap, SliceScope } from '../tap-reading.js';

/** The scope of a tap without a parent. */
export const WHOLE_TAP: SliceScope = { variables: {}, parentFields: {} };

const DEFAULT_SEPARATOR = ',';

interface Fanout {
  readonly templateVariable: string;
  readonly targetField?: string | undefined;
  readonly items: readonly string[];
}

/**
 * Ignores fan-outs whose variable does not occur in the requests of the tap, or already occurs in the scope. Yields one
 * scope at a time, because the scopes for all combinations of items may together exceed the memory.
 */
export function* fanOut(
  traversal: Traversal | null | undefined,
  { tap, option, config }: Pick<PreparedTap, 'tap' | 'option' | 'config'>,
  scope: SliceScope = WHOLE_TAP,
): Generator<SliceScope> {
  const used = new Set(templateVariables(JSON.stringify([option, tap.sync]).replaceAll('{{', '')));
  const fanouts = fanoutsOf(traversal, config).filter(
    ({ templateVariable }) => used.has(templateVariable) && !Object.hasOwn(scope.variables, templateVariable),
  );
  yield* itemScopes(scope, fanouts);
}

function fanoutsOf(traversal: Traversal | null | undefined, config: PreparedTap['config']): Fanout[] {
  const { configFanouts = [], staticFanouts = [] } = traversal ?? {};
  const configured = configFanouts.map(({ configField, separator, ...fanout }) => ({
    ...fanout,
    items: itemsOf(config[configField], separator ?? DEFAULT_SEPARATOR),
  }));
  return [...configured, ...staticFanouts.map(({ values, ...fanout }) => ({ ...fanout, items: itemsOf(values, '') }))];
}

function* itemScopes(scope: SliceScope, [fanout, ...others]: readonly Fanout[]): Generator<SliceScope> {
  if (!fanout) return yield scope;
  const { templateVariable, targetField, items } = fanout;
  const { variables, parentFields } = scope;
  for (const item of items)
    yield* itemScopes(
      {
        variables: { ...variables, [templateVariable]: item },
        parentFields: targetField ? { ...parentFields, [targetField]: item } : parentFields,
      },
      others,
    );
}

function itemsOf(value: unknown, separator: string): string[] {
  const items = Array.isArray(value) ? value.map(String) : typeof value === 'string' ? value.split(separator) : [];
  return [...new Set(items.map((item) => item.trim()).filter((item) => item !== ''))];
}
