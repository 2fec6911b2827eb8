import { parentVariableOf } from '../model/parent-variable.js';
import { ELIGIBILITY_OPERATORS, type Traversal } from '../model/traversal.js';
import type { ConnectorDefinition, DefinitionFault, DefinitionPath } from './definition.js';
import { connectorFieldNames } from './strategy-rules.js';

export function checkTraversalRules(
  { traversal, ...connector }: ConnectorDefinition,
  path: DefinitionPath,
): DefinitionFault[] {
  if (!traversal) return [];
  const names = new Set(connector.taps.map(({ name }) => name));
  const at = [...path, 'traversal'];
  return [
    ...rootFaults(traversal, names, at),
    ...edgeFaults(traversal, names, at),
    ...operatorFaults(traversal, at),
    ...changeFieldFaults(traversal, connector.taps, at),
    ...unreachedTaps(traversal, connector.taps, path),
    ...staticFanoutFaults(traversal, at),
    ...fanoutFaults(traversal, connectorFieldNames(connector), at),
  ];
}

function rootFaults(
  { rootTaps, edges = [] }: Traversal,
  names: ReadonlySet<string>,
  path: DefinitionPath,
): DefinitionFault[] {
  return rootTaps.flatMap((name, index) => {
    const at = [...path, 'rootTaps', index];
    const faults: DefinitionFault[] = [];
    if (!names.has(name)) faults.push(noSuchTap(name, at));
    if (edges.some(({ to }) => to === name))
      faults.push({
        path: at,
        rule: 'roots-have-no-parent',
        message: `${name} is a root tap and cannot have a parent`,
      });
    return faults;
  });
}

function edgeFaults({ edges = [] }: Traversal, names: ReadonlySet<string>, path: DefinitionPath): DefinitionFault[] {
  return edges.flatMap(({ from, to }, index) =>
    Object.entries({ from, to })
      .filter(([, name]) => !names.has(name))
      .map(([end, name]) => noSuchTap(name, [...path, 'edges', index, end])),
  );
}

function operatorFaults({ edges = [] }: Traversal, path: DefinitionPath): DefinitionFault[] {
  return edges.flatMap(({ parentEligibility = [] }, edge) =>
    parentEligibility.flatMap(({ operator }, index) => {
      if (ELIGIBILITY_OPERATORS.some((one) => one === operator)) return [];
      const at = [...path, 'edges', edge, 'parentEligibility', index, 'operator'];
      return [{ path: at, rule: 'operator-exists', message: `must be one of ${ELIGIBILITY_OPERATORS.join(', ')}` }];
    }),
  );
}

function changeFieldFaults(
  { edges = [] }: Traversal,
  taps: ConnectorDefinition['taps'],
  path: DefinitionPath,
): DefinitionFault[] {
  return edges.flatMap(({ to, parentChangeField }, index) => {
    if (parentChangeField === undefined) return [];
    const at = [...path, 'edges', index, 'parentChangeField'];
    const child = taps.find(({ name }) => name === to);
    const parents = edges.filter((edge) => edge.to === to);
    const variables = new Set(parents.map(parentVariableOf));
    const checks = [
      [
        child && child.sync.mode !== 'incremental',
        'change-field-has-a-cursor',
        `${to} must have sync mode incremental, because an edge with parentChangeField leads to it`,
      ],
      [variables.size > 1, 'change-field-has-one-parent', `${to} combines several parents. Remove parentChangeField`],
    ] as const;
    return checks.filter(([isBroken]) => isBroken).map(([, rule, message]) => ({ path: at, rule, message }));
  });
}

function noSuchTap(name: string, path: DefinitionPath): DefinitionFault {
  return { path, rule: 'traversal-names-taps', message: `the tap ${name} does not exist` };
}

/** Omits pushed taps, because no sync reads them. */
function unreachedTaps(
  traversal: Traversal,
  taps: ConnectorDefinition['taps'],
  path: DefinitionPath,
): DefinitionFault[] {
  const reached = reachedFrom(traversal);
  return taps.flatMap(({ name, sync }, index) => {
    if (reached.has(name) || sync.mode === 'push') return [];
    const at = [...path, 'taps', index, 'name'];
    return [
      { path: at, rule: 'taps-are-reached', message: `${name} must be a root tap, or a descendant of a root tap` },
    ];
  });
}

function reachedFrom({ rootTaps, edges = [] }: Traversal): ReadonlySet<string> {
  const reached = new Set(rootTaps);
  for (let before = -1; before !== reached.size; ) {
    before = reached.size;
    for (const { from, to } of edges) if (reached.has(from)) reached.add(to);
  }
  return reached;
}

function staticFanoutFaults({ staticFanouts = [] }: Traversal, path: DefinitionPath): DefinitionFault[] {
  return staticFanouts.flatMap(({ values }, index) =>
    values.length > 0 && values.every((value) => value.trim() !== '')
      ? []
      : [
          {
            path: [...path, 'staticFanouts', index, 'values'],
            rule: 'fanout-has-values',
            message: 'values must have at least one item, and no blank item',
          },
        ],
  );
}

function fanoutFaults(
  { configFanouts = [] }: Traversal,
  fields: ReadonlySet<string>,
  path: DefinitionPath,
): DefinitionFault[] {
  return configFanouts.flatMap(({ configField }, index) => {
    if (fields.has(configField)) return [];
    const at = [...path, 'configFanouts', index, 'configField'];
    return [{ path: at, rule: 'fanout-field-exists', message: `no config schema has the field ${configField}` }];
  });
}
