import { parentVariableOf } from '../model/parent-variable.js';
import type { RestConfig } from '../model/transport-option.js';
import type { ConnectorDefinition, DefinitionFault, DefinitionPath, TapDefinition } from './definition.js';

const OPERATORS: readonly (string | undefined)[] = [undefined, 'and', 'or'];
const NORMALIZATIONS: readonly (string | undefined)[] = [undefined, 'lowercase', 'uppercase'];

/** Checks the filters of requests that select the child records of several parent records. */
export function checkParentFilterRules(connector: ConnectorDefinition, path: DefinitionPath): DefinitionFault[] {
  return connector.taps.flatMap((tap, index) =>
    tap.transportOptions.flatMap(({ restConfig = {} }, option) =>
      checksOf(connector, tap, restConfig).map(([name, rule, message]) => ({
        path: [...path, 'taps', index, 'transportOptions', option, 'restConfig', name],
        rule,
        message: `${tap.name}: ${message}`,
      })),
    ),
  );
}

function checksOf(
  { traversal }: ConnectorDefinition,
  tap: TapDefinition,
  config: RestConfig,
): [string, string, string][] {
  const { parentDataFilterQueryInject: query, parentDataFilterBodyInject: body, method = 'GET' } = config;
  const filter = query ?? body;
  if (!filter) return [];
  const name = query ? 'parentDataFilterQueryInject' : 'parentDataFilterBodyInject';
  const edges = (traversal?.edges ?? []).filter(({ to }) => to === tap.name);
  const contextFields = [tap, ...edges].flatMap(({ parentContextFields }) => parentContextFields ?? []);
  const isPlaced =
    filter.field && (query ? query.queryParam && !body : body?.bodyPath && method.toUpperCase() !== 'GET');
  const hasOneParent = new Set(edges.map(parentVariableOf)).size === 1 && tap.transportOptions.length === 1;
  const isPerParent = filter.chunkSize === 1;
  const { filterKey, clauseTemplate } = { ...query };
  const isTemplate = clauseTemplate === undefined || clauseTemplate.includes('{value}');
  const hasKey = !clauseTemplate?.includes('{filterKey}') || filterKey;
  const { joinOperator, combineOperator, normalize, chunkSize = 1 } = { ...query, ...filter };
  const isKnown = OPERATORS.includes(joinOperator) && OPERATORS.includes(combineOperator);
  const checks: [unknown, string, string][] = [
    [
      isPlaced,
      'parent-filter-is-placed',
      'set exactly one filter: parentDataFilterQueryInject with field and queryParam, or parentDataFilterBodyInject with field, bodyPath and a method such as POST',
    ],
    [
      isTemplate && hasKey,
      'parent-filter-has-values',
      'clauseTemplate must contain {value}. A clauseTemplate with {filterKey} requires filterKey',
    ],
    [hasOneParent, 'parent-filter-has-one-parent', 'a filter requires exactly one parent tap and one transport option'],
    [
      isPerParent || (tap.sync.mode === 'full' && contextFields.length === 0),
      'parent-filter-has-no-partition',
      'a filter requires chunkSize 1, or sync mode full without parentContextFields',
    ],
    [
      isKnown && NORMALIZATIONS.includes(normalize) && chunkSize >= 1,
      'parent-filter-is-known',
      'joinOperator and combineOperator must be "and" or "or", normalize must be "lowercase" or "uppercase", and chunkSize must be at least 1',
    ],
  ];
  return checks.filter(([isMet]) => !isMet).map(([, rule, message]) => [name, rule, message]);
}
