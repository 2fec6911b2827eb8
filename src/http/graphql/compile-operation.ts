import {
  type DocumentNode,
  type ExecutionResult,
  type FieldNode,
  GraphQLBoolean,
  GraphQLScalarType,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  print,
  TypeInfo,
  type VariableDefinitionNode,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { DatabaseUnavailable } from '../../kernel/errors.js';
import type { EdgePlan } from '../../kernel/reading/edge-plan.js';
import { connectionOf } from '../../kernel/reading/followed-edges.js';
import type { RequestContext } from '../../kernel/reading/request-context.js';
import { UsedColumns } from '../../kernel/reading/used-columns.js';
import { isAllowed } from '../../tenancy/access.js';
import { compileBreadthFirst } from './compile-breadth-first.js';
import { hasConditionalMerge } from './has-conditional-merge.js';
import { inlineFragments } from './inline-fragments.js';
import { runBreadthFirst } from './run-breadth-first.js';

export type CompiledOperation = (
  context: RequestContext,
  variables: Record<string, unknown>,
) => ExecutionResult | Promise<ExecutionResult>;

/** Rows already contain ids, times and enums in their output format. No response contains stack traces of resolvers. */
const OPTIONS = { disableLeafSerialization: true, disablingCapturingStackErrors: true };

/** The document must be valid. The results may contain `JsonText`. */
export function compileOperation(schema: GraphQLSchema, document: DocumentNode): CompiledOperation {
  const compiled = compileQuery(schema, document, undefined, OPTIONS);
  if (!isCompiledQuery(compiled)) throw new Error(`an operation does not compile: ${compiled.errors?.[0]?.message}`);
  const run: CompiledOperation = (context, variables) => compiled.query(undefined, context, variables);
  const operation = getOperationAST(document);
  if (operation?.operation !== 'query') return run;
  return readUsedColumns(schema, document, breadthFirst(schema, document, operation, run, true));
}

/**
 * Returns undefined if graphql-js must execute the operation:
 * - It has a variable inside an input object or list. If the variable is missing, graphql-jit passes null instead of no
 * value (zalando-incubator/graphql-jit#230).
 * - It is a mutation. Mutations spend most of their time in transactions, so compilation would save little.
 * - graphql-jit cannot compile it, or may return fields of excluded fragments (`hasConditionalMerge`).
 */
export function compileClientQuery(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): CompiledOperation | undefined {
  if (operation.operation !== 'query' || hasNestedVariable(document)) return undefined;
  const { variableDefinitions = [], name } = operation;
  const passing = { ...operation, variableDefinitions: variableDefinitions.map(passUnchanged) };
  const definitions = document.definitions.map((node) => (node === operation ? passing : node));
  const inlined = inlineFragments({ ...document, definitions });
  if (hasConditionalMerge(inlined)) return undefined;
  const compiled = compileQuery(withPassedValue(schema), inlined, name?.value, OPTIONS);
  if (!isCompiledQuery(compiled)) return undefined;
  const run: CompiledOperation = (context, variables) => {
    const { coerced, errors } = getVariableValues(schema, variableDefinitions, variables);
    return errors ? { errors } : compiled.query(undefined, context, coerced);
  };
  return readUsedColumns(schema, document, breadthFirst(schema, document, operation, run));
}

/**
 * Executes a query breadth first if the query and the caller's permissions allow this. Otherwise calls `run`. If a
 * field below the root fails, `run` executes the query again and reuses the rows and errors of the first execution.
 */
function breadthFirst(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  run: CompiledOperation,
  keepsJsonText = false,
): CompiledOperation {
  const query = compileBreadthFirst(schema, document, operation, keepsJsonText);
  if (!query) return run;
  const rules = [...query.rules];
  return async (context, variables) => {
    if (!rules.every((rule) => isAllowed(context, rule))) return run(context, variables);
    try {
      return await runBreadthFirst(query, context, variables);
    } catch (error) {
      // The second execution must not wait again for an unavailable database.
      const fault = error instanceof DatabaseUnavailable ? error : undefined;
      return run({ ...context, read: context.read.again(fault) }, variables);
    }
  };
}

/**
 * Reads only the columns that earlier executions of the query used. If an execution uses another column, repeats the
 * execution with all columns.
 */
function readUsedColumns(schema: GraphQLSchema, document: DocumentNode, run: CompiledOperation): CompiledOperation {
  let used: UsedColumns | undefined;
  return async (context, variables) => {
    used ??= new UsedColumns(context.read.tables, selectedFields(schema, document));
    const { revision } = used;
    const result = await run({ ...context, read: context.read.over(used) }, variables);
    used.settle();
    return used.revision === revision ? result : run(context, variables);
  };
}

/** Returns, by type, the selected fields and the properties that join related types. */
function selectedFields(schema: GraphQLSchema, document: DocumentNode): ReadonlyMap<string, ReadonlySet<string>> {
  const selected = new Map<string, Set<string>>();
  const types = new TypeInfo(schema);
  const add = (type: string, name: string) => selected.set(type, (selected.get(type) ?? new Set()).add(name));
  const Field = ({ name }: FieldNode): void => {
    const type = types.getParentType()?.name ?? '';
    add(type, name.value);
    const plan = types.getFieldDef()?.extensions.plan as EdgePlan | undefined;
    if (!plan) return;
    const { entity, by, keys } = connectionOf(plan);
    for (const key of keys) add(type, key);
    add(entity.name, by);
  };
  visit(document, visitWithTypeInfo(types, { Field }));
  return selected;
}

function hasNestedVariable(document: DocumentNode): boolean {
  let depth = 0;
  let isFound = false;
  const nested = { enter: () => void depth++, leave: () => void depth-- };
  visit(document, {
    ObjectValue: nested,
    ListValue: nested,
    Variable: () => {
      isFound ||= depth > 0;
    },
  });
  return isFound;
}

/**
 * Leaves the value of a variable unchanged. graphql-jit coerces some values differently from graphql-js. For example,
 * it rejects a missing variable of type `Int! = 7`.
 */
const PASSED_VALUE = new GraphQLScalarType({ name: 'PassedValue', parseValue: (value) => value });

/** Boolean variables keep their type, because `@include` and `@skip` require it. */
function passUnchanged({ kind, variable, type }: VariableDefinitionNode): VariableDefinitionNode {
  const isBoolean = print(type).startsWith(GraphQLBoolean.name);
  const passed = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: PASSED_VALUE.name } } as const;
  return { kind, variable, type: isBoolean ? type : passed };
}

function withPassedValue(schema: GraphQLSchema): GraphQLSchema {
  const getType = (name: string) => (name === PASSED_VALUE.name ? PASSED_VALUE : schema.getType(name));
  return Object.create(schema, { getType: { value: getType } }) as GraphQLSchema;
}
