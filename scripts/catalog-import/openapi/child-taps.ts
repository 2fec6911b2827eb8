import type { TapDefinition } from '../../../src/catalog/definitions/definition.js';
import type { Traversal, TraversalEdge } from '../../../src/catalog/model/traversal.js';
import { toSnakeCase, toVariable } from '../names.js';
import type { Notes } from '../notes.js';
import type { ListOperation } from './list-operations.js';

export interface ReadableLists {
  readonly lists: readonly ListOperation[];
  readonly edges: readonly TraversalEdge[];
}

/**
 * Selects lists without path variables, and their child lists: `/orders/{id}/lines` is a child of `/orders`. Adds a
 * note for each child list and for each omitted list.
 */
export function selectReadable(all: readonly ListOperation[], notes: Notes): ReadableLists {
  const roots = all.filter(({ variables }) => variables.length === 0);
  const byPath = new Map(roots.map((list) => [list.operation.path.replace(/\/$/, ''), list]));
  const children = all.flatMap((list) => {
    const { name, operation, variables } = list;
    if (variables.length === 0) return [];
    const [before = '', after = ''] = operation.path.split(/\/\{[^{}]*\}(?=\/)/);
    const parent = byPath.get(before);
    if (variables.length > 1 || !parent || !after) {
      const reason = whyOmitted(variables.length, after);
      notes.todo(`GET ${operation.path}`, operation.pointer, `the draft omits the operation, because ${reason}`);
      return [];
    }
    const [variable = ''] = variables;
    notes.check(`tap ${name}`, operation.pointer, `check that {${toVariable(variable)}} is the id of ${parent.name}`);
    const edge = {
      from: parent.name,
      to: name,
      parentKeyField: 'id',
      templateVariable: toVariable(variable),
      parentContextFields: [{ sourceField: 'id', targetField: contextFieldOf(variable, parent.name) }],
    };
    return [{ list, edge }];
  });
  return { lists: [...roots, ...children.map(({ list }) => list)], edges: children.map(({ edge }) => edge) };
}

function whyOmitted(variables: number, after: string): string {
  if (variables > 1) return `it has ${variables} path variables`;
  return after ? 'the draft has no parent list for it' : 'its path ends with a variable';
}

/** Adds the field with the id of the parent record to the schemas of child taps. */
export function withParentFields(taps: readonly TapDefinition[], edges: readonly TraversalEdge[]): TapDefinition[] {
  const propertiesOf = (name: string): Record<string, unknown> => {
    const { schema } = taps.find((tap) => tap.name === name) ?? {};
    return (schema?.properties ?? {}) as Record<string, unknown>;
  };
  return taps.map((tap) => {
    const edge = edges.find(({ to }) => to === tap.name);
    const [field] = edge?.parentContextFields ?? [];
    const properties = propertiesOf(tap.name);
    if (!edge || !field || Object.hasOwn(properties, field.targetField)) return tap;
    const type = propertiesOf(edge.from).id ?? {};
    return { ...tap, schema: { ...tap.schema, properties: { ...properties, [field.targetField]: type } } };
  });
}

export function traversalOf(taps: readonly TapDefinition[], edges: readonly TraversalEdge[]): Traversal | undefined {
  if (edges.length === 0) return undefined;
  const rootTaps = taps.map(({ name }) => name).filter((name) => edges.every(({ to }) => to !== name));
  return { rootTaps, edges: [...edges] };
}

/** Records often have an `id` of their own, so the id of the parent record gets a longer name. */
function contextFieldOf(variable: string, parent: string): string {
  const name = toSnakeCase(variable);
  return name === 'id' ? `${parent.replace(/s$/, '')}_id` : name;
}
