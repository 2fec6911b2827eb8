import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type SelectionSetNode,
} from 'graphql';
import { JsonText, jsonTextKey } from '../../kernel/entities/json-text.js';
import { Json, JsonObject } from '../../kernel/entities/scalars.js';
import { type Fragments, type SelectedField, selectedFields, Unsupported } from './selected-fields.js';

type Complete = (value: unknown) => unknown;
type Source = Record<string, unknown>;

/** The response must contain an error, for example because a non-null field is null. */
export class Incomplete extends Error {}

function incomplete(): never {
  throw new Incomplete();
}

/**
 * Compiles a function that creates the response objects of a selection. The function reads the fields of `completed`
 * from the source. Other fields are null until the executor assigns them. Fields of `stored` remain `JsonText`. The
 * function contains an object literal, because V8 creates it several times faster than an object to which code adds
 * properties one by one.
 */
export function compileObjects(
  type: GraphQLObjectType,
  fields: readonly SelectedField[],
  completed: ReadonlyMap<string, Complete>,
  stored: ReadonlySet<string> = NONE,
): (source: Source) => Source {
  const functions: Complete[] = [];
  const keys: symbol[] = [];
  const values = fields.map(({ key, field }) => {
    // The key is computed, because `__proto__: value` would set the prototype.
    const name = `[${JSON.stringify(key)}]`;
    if (!field) return `${name}: ${JSON.stringify(type.name)}`;
    const complete = completed.get(key);
    if (!complete) return `${name}: null`;
    const from = propertyOf(field) ?? field.name;
    const property = `source[${JSON.stringify(from)}]`;
    const value = isLeafType(field.type)
      ? `${property} ?? null`
      : `complete[${functions.push(complete) - 1}](${property})`;
    return `${name}: ${stored.has(key) ? `textOf(source, keys[${keys.push(jsonTextKey(from)) - 1}]) ?? ` : ''}${value}`;
  });
  const body = `return (source) => ({ ${values.join(', ')} });`;
  return new Function('complete', 'keys', 'textOf', body)(functions, keys, textOf);
}

const NONE: ReadonlySet<string> = new Set();

function textOf(source: Source, key: symbol): JsonText | undefined {
  const text = source[key as never] as unknown;
  return text instanceof JsonText ? text : undefined;
}

/** Returns the keys of the fields whose column already contains the JSON of the response. */
export function storedFields(fields: readonly SelectedField[], fragments: Fragments): ReadonlySet<string> {
  const stored = fields.filter(
    ({ field, nodes }) =>
      field &&
      (isAnyJson(getNullableType(field.type)) ||
        (field.extensions.isExact && isWhole(field.type, setsOf(nodes), fragments))),
  );
  return new Set(stored.map(({ key }) => key));
}

/** Returns whether a selection contains all fields of its type, at every depth and without aliases. */
function isWhole(type: GraphQLOutputType, sets: readonly SelectionSetNode[], fragments: Fragments): boolean {
  const named = getNamedType(type);
  if (!isObjectType(named)) return isLeafType(named);
  const selected = selectedFields(named, sets, fragments);
  const isField = ({ key, field, nodes }: SelectedField): boolean =>
    key === field?.name && isWhole(field.type, setsOf(nodes), fragments);
  return selected.length === Object.keys(named.getFields()).length && selected.every(isField);
}

/** Returns the name of the row property that contains the value of the field. */
export function propertyOf({ extensions }: GraphQLField<unknown, unknown>): string | undefined {
  return extensions.property as string | undefined;
}

function isAnyJson(type: GraphQLOutputType): boolean {
  return type === Json || type === JsonObject;
}

/** Returns whether the selected fields need no resolver, because they are all properties of the object. */
export function isPart(type: GraphQLOutputType, sets: readonly SelectionSetNode[], fragments: Fragments): boolean {
  const named = getNamedType(type);
  if (isLeafType(named)) return true;
  if (!isObjectType(named) || named.extensions.isRow) return false;
  return selectedFields(named, sets, fragments).every(
    ({ field, nodes }) => !field || (!field.resolve && isPart(field.type, setsOf(nodes), fragments)),
  );
}

export function completePart(
  type: GraphQLOutputType,
  sets: readonly SelectionSetNode[],
  fragments: Fragments,
): Complete {
  if (isNonNullType(type)) {
    const inner = completePart(type.ofType, sets, fragments);
    return (value) => (value === null || value === undefined ? incomplete() : inner(value));
  }
  if (isListType(type)) {
    const item = completePart(type.ofType, sets, fragments);
    return nullable((value) => (Array.isArray(value) ? value.map(item) : incomplete()));
  }
  if (isLeafType(type)) return (value) => value ?? null;
  if (!isObjectType(type)) throw new Unsupported();
  const fields = selectedFields(type, sets, fragments);
  const parts = new Map(
    fields.flatMap(({ key, field, nodes }): [string, Complete][] =>
      field ? [[key, completePart(field.type, setsOf(nodes), fragments)]] : [],
    ),
  );
  return nullable(compileObjects(type, fields, parts) as Complete);
}

export function setsOf(nodes: SelectedField['nodes']): SelectionSetNode[] {
  return nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
}

function nullable(complete: Complete): Complete {
  return (value) => (value === null || value === undefined ? null : complete(value));
}
