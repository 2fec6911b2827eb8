import {
  type ExecutionResult,
  GraphQLError,
  type GraphQLResolveInfo,
  getArgumentValues,
  getVariableValues,
} from 'graphql';
import { loadEdge } from '../../kernel/reading/load-edge.js';
import type { RequestContext } from '../../kernel/reading/request-context.js';
import type { BreadthFirstQuery, Edge, Selection } from './compile-breadth-first.js';
import { Incomplete } from './response-objects.js';

type Variables = Record<string, unknown>;
type Source = Record<string, unknown>;

/** The executor yields to the event loop after this number of objects. */
const OBJECTS_PER_TURN = 500;

const ROOT: readonly Source[] = [{}];

/**
 * Loads each field once for all objects of a selection. Throws if a variable is invalid, or if a field below
 * a root field fails. The caller then executes the query in the usual order, to assign errors to fields.
 */
export async function runBreadthFirst(
  query: BreadthFirstQuery,
  context: RequestContext,
  variables: Variables,
): Promise<ExecutionResult> {
  const { schema, operation, root } = query;
  const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], variables);
  if (!coerced) throw new Incomplete();
  return new Execution(query, context, coerced).result(root);
}

class Execution {
  constructor(
    private readonly query: BreadthFirstQuery,
    private readonly context: RequestContext,
    private readonly variables: Variables,
  ) {}

  async result({ create, edges }: Selection): Promise<ExecutionResult> {
    const data = create({});
    const errors = await Promise.all(edges.map((edge) => this.#completeRoot(edge, data)));
    if (errors.every((error) => error === undefined)) return { data };
    const isNull = edges.some(({ isRequired }, at) => isRequired && errors[at]);
    return { data: isNull ? null : data, errors: errors.filter((error) => error !== undefined) };
  }

  /**
   * Returns an error of the resolver instead of throwing it, because a second execution would repeat the work of
   * the resolver.
   */
  async #completeRoot(edge: Edge, data: Source): Promise<GraphQLError | undefined> {
    let values: readonly unknown[];
    try {
      values = await this.#load(edge, ROOT);
    } catch (error) {
      const originalError = error instanceof Error ? error : new Error(String(error));
      return new GraphQLError(originalError.message, { path: [edge.key], originalError });
    }
    await this.#assign(edge, values, [data]);
    return undefined;
  }

  async #objects(selection: Selection, sources: readonly Source[]): Promise<Source[]> {
    if (sources.length <= OBJECTS_PER_TURN || selection.edges.length === 0)
      return this.#objectsAtOnce(selection, sources);
    const parts: Promise<Source[]>[] = [];
    for (let at = 0; at < sources.length; at += OBJECTS_PER_TURN)
      parts.push(this.#objectsInTurn(selection, sources.slice(at, at + OBJECTS_PER_TURN)));
    return (await Promise.all(parts)).flat();
  }

  async #objectsInTurn(selection: Selection, sources: readonly Source[]): Promise<Source[]> {
    return this.#objectsAtOnce(selection, await this.context.read.pace(sources, sources.length));
  }

  async #objectsAtOnce({ create, edges }: Selection, sources: readonly Source[]): Promise<Source[]> {
    const objects = sources.map(create);
    const [only] = edges;
    if (only && edges.length === 1) await this.#complete(only, sources, objects);
    else if (only) await Promise.all(edges.map((edge) => this.#complete(edge, sources, objects)));
    return objects;
  }

  async #complete(edge: Edge, sources: readonly Source[], objects: readonly Source[]): Promise<void> {
    if (sources.length === 0) return;
    const loaded = this.#load(edge, sources);
    await this.#assign(edge, Array.isArray(loaded) ? loaded : await loaded, objects);
  }

  async #assign(edge: Edge, values: readonly unknown[], objects: readonly Source[]): Promise<void> {
    const { key, complete, selection, isList, isRequired } = edge;
    if (!selection) {
      for (const [at, value] of values.entries()) (objects[at] as Source)[key] = complete?.(value);
      return;
    }
    // Many objects may refer to the same row. For example, all groupings of a vendor refer to this vendor. If the
    // response contains no further rows below such a row, the objects share one copy of it. Otherwise, each object has
    // its own copy, because the rows below each copy count towards the row budget.
    const isShared = !isList && selection.edges.length === 0;
    const places = new Map<unknown, number>();
    const below: Source[] = [];
    for (const value of values) {
      if (value === null || value === undefined) {
        if (isRequired) throw new Incomplete();
      } else if (isList) for (const item of itemsOf(value)) below.push(item);
      else if (!isShared || !places.has(value)) places.set(value, below.push(value as Source) - 1);
    }
    const children = await this.#objects(selection, below);
    let next = 0;
    for (const [at, value] of values.entries()) {
      if (value === null || value === undefined) continue; // The property is already null.
      const count = isList ? (value as unknown[]).length : 1;
      const child = isShared ? children[places.get(value) as number] : children[next];
      (objects[at] as Source)[key] = isList ? children.slice(next, next + count) : child;
      next += count;
    }
  }

  #load(edge: Edge, sources: readonly Source[]): readonly unknown[] | PromiseLike<readonly unknown[]> {
    const { field, plan, followed } = edge;
    const { read } = this.context;
    if (plan) return loadEdge(read, plan, sources);
    const { resolve } = field;
    if (!resolve) return sources.map((source) => source[field.name]);
    const info = this.#infoOf(edge);
    const args = getArgumentValues(field, info.fieldNodes[0] as never, this.variables);
    const context = followed ? { ...this.context, read: read.following(followed) } : this.context;
    const values = sources.map((source) => resolve(source, { ...args }, context, info));
    return values.some(isThenable) ? Promise.all(values) : values;
  }

  /** `path` contains only the field, because the objects have different paths. */
  #infoOf({ field, nodes, parent }: Edge): GraphQLResolveInfo {
    const { schema, operation, fragments } = this.query;
    return {
      ...{ fieldName: field.name, fieldNodes: nodes, returnType: field.type, parentType: parent },
      ...{ schema, fragments, operation, rootValue: undefined, variableValues: this.variables },
      path: { prev: undefined, key: nodes[0]?.name.value ?? '', typename: parent.name },
    };
  }
}

function itemsOf(value: unknown): readonly Source[] {
  if (!Array.isArray(value) || value.includes(null) || value.includes(undefined)) throw new Incomplete();
  return value;
}

function isThenable(value: unknown): boolean {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === 'function';
}
