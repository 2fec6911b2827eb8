import {
  type GraphQLArgument,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql';
import { encodeId } from '../../../src/kernel/ids.js';

export interface RandomDocument {
  readonly text: string;
  readonly variables: Record<string, unknown>;
}

/** Returns an integer from 0 to `count - 1`. */
export type Choose = (count: number) => number;

const ID = encodeId('01890000-0000-4000-8000-000000000001');
const SCALARS: Readonly<Record<string, unknown>> = {
  ...{ Int: 3, Float: 1.5, SafeInt: 5, Boolean: true, Base62Id: ID, DateTime: '2026-01-01T00:00:00.000Z' },
  ...{ JSON: 'any', JSONObject: {} },
};

const MAX_DEPTH = 5;
const MAX_ALIASES = 8;
const MAX_FIELDS = 60;

/**
 * The schema must not contain interfaces or unions. With `hasVariables`, arguments of fields and of directives may be
 * variables.
 */
export function randomDocument(schema: GraphQLSchema, choose: Choose, hasVariables: boolean): RandomDocument {
  const chance = (of: number): boolean => choose(of) === 0;
  const declared = new Map<string, string>();
  const variables: Record<string, unknown> = {};
  const fragments: string[] = [];
  let aliases = 0;
  let fields = 0;
  const root = selectionSet(schema.getQueryType() as GraphQLObjectType, 0);
  const list = [...declared].map(([name, type]) => `$${name}: ${type}`).join(', ');
  return { text: [`query Q${list && `(${list})`} ${root}`, ...fragments].join('\n'), variables };

  function selectionSet(type: GraphQLObjectType, depth: number): string {
    const selections = Array.from({ length: choose(4) + 1 }, () => selection(type, depth));
    return `{ __typename ${selections.join(' ')} }`;
  }

  function selection(type: GraphQLObjectType, depth: number): string {
    const kind = depth < MAX_DEPTH ? choose(8) : 0;
    if (kind === 6) return `...${chance(2) ? ` on ${type.name}` : ''}${directive()} ${selectionSet(type, depth + 1)}`;
    if (kind !== 7) return field(type, depth);
    const name = `F${fragments.length}`;
    fragments.push('');
    fragments[Number(name.slice(1))] = `fragment ${name} on ${type.name} ${selectionSet(type, depth + 1)}`;
    return chance(3) ? `...${name}${directive()} ...${name}` : `...${name}${directive()}`;
  }

  /** Fields with the same response name have the same arguments, because GraphQL must merge them. */
  function field(type: GraphQLObjectType, depth: number): string {
    const all = Object.values(type.getFields());
    const isShallow = depth >= MAX_DEPTH || fields >= MAX_FIELDS;
    const usable = isShallow ? all.filter((one) => !isObjectType(getNamedType(one.type))) : all;
    const found = usable[choose(usable.length || 1)];
    if (!found) return '__typename';
    fields += 1;
    const alias = aliases < MAX_ALIASES && chance(4) ? choose(3) : 0;
    if (alias) aliases += 1;
    const given = found.args.filter((one, at) => isRequiredArgument(one) || (alias > 0 && (at + alias) % 3 === 0));
    const args = given.map((one) => `${one.name}: ${argument(one, alias)}`).join(', ');
    const named = getNamedType(found.type);
    const below = isObjectType(named) ? ` ${selectionSet(named, depth + 1)}` : '';
    return `${alias ? `${found.name}_${alias}: ` : ''}${found.name}${args && `(${args})`}${directive()}${below}`;
  }

  function argument({ type }: GraphQLArgument, alias: number): string {
    if (!hasVariables || alias === 2) return literal(type, inputOf(type));
    const name = `v_${String(type).replace(/\W/g, '_')}`;
    declared.set(name, String(type));
    variables[name] = inputOf(type);
    return `$${name}`;
  }

  function directive(): string {
    if (!chance(6)) return '';
    const name = chance(2) ? 'include' : 'skip';
    if (!hasVariables || chance(2)) return ` @${name}(if: ${chance(2)})`;
    const variable = `b${choose(3)}`;
    declared.set(variable, variable === 'b0' ? 'Boolean! = true' : 'Boolean!');
    if (variable !== 'b0') variables[variable] = variable === 'b1';
    return ` @${name}(if: $${variable})`;
  }
}

function inputOf(type: GraphQLInputType): unknown {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return [inputOf(nullable.ofType)];
  if (isEnumType(nullable)) return nullable.getValues()[0]?.name;
  if (!isInputObjectType(nullable)) return SCALARS[String(nullable)] ?? 'text';
  const required = Object.values(nullable.getFields()).filter(isRequiredInputField);
  return Object.fromEntries(required.map((one) => [one.name, inputOf(one.type)]));
}

function literal(type: GraphQLInputType, value: unknown): string {
  const nullable = isNonNullType(type) ? type.ofType : type;
  if (isListType(nullable)) return `[${(value as unknown[]).map((item) => literal(nullable.ofType, item)).join(', ')}]`;
  if (isEnumType(nullable)) return String(value);
  if (!isInputObjectType(nullable)) return JSON.stringify(value);
  const entries = Object.entries(value as object);
  return `{ ${entries.map(([name, inner]) => `${name}: ${literal(nullable.getFields()[name]?.type as GraphQLInputType, inner)}`).join(', ')} }`;
}
