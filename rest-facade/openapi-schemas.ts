import {
  type GraphQLInputObjectType,
  type GraphQLType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isScalarType,
} from 'graphql';
import { alwaysHasValue, type SelectedField, type Selection, showsNull } from './selection.js';

export type OpenApiObject = Record<string, unknown>;

const SCALARS: Record<string, OpenApiObject> = {
  String: { type: 'string' },
  Int: { type: 'integer', format: 'int32' },
  Float: { type: 'number', format: 'double' },
  Boolean: { type: 'boolean' },
  JSON: {},
  JSONObject: { type: 'object', additionalProperties: true },
};

/**
 * Returns the OpenAPI 3.0 schema of a GraphQL type. An object type becomes a reference to the schema `name`. A custom
 * scalar defines its schema in `extensions.jsonSchema`.
 */
export function typeSchema(type: GraphQLType, name?: string): OpenApiObject {
  if (isNonNullType(type)) return typeSchema(type.ofType, name);
  if (isListType(type)) return { type: 'array', items: typeSchema(type.ofType, name) };
  if (isScalarType(type)) return SCALARS[type.name] ?? (type.extensions.jsonSchema as OpenApiObject);
  if (isEnumType(type))
    return { type: 'string', description: meanings(type.getValues()), enum: type.getValues().map(({ name }) => name) };
  if (isInputObjectType(type)) return inputSchema(type);
  return { $ref: `#/components/schemas/${name ?? type.name}` };
}

function inputSchema(type: GraphQLInputObjectType): OpenApiObject {
  const fields = Object.values(type.getFields());
  const required = fields.filter((field) => isNonNullType(field.type)).map(({ name }) => name);
  const properties = fields.map((field) => {
    const schema = typeSchema(field.type);
    return [field.name, described(isNonNullType(field.type) ? schema : nullableSchema(schema), field.description)];
  });
  return { type: 'object', additionalProperties: false, required, properties: Object.fromEntries(properties) };
}

function meanings(values: readonly { name: string; description?: string | null }[]): string {
  return values.map(({ name, description }) => `- \`${name}\`: ${description}`).join('\n');
}

interface Occurrences {
  readonly description: string;
  readonly fields: Map<string, { field: SelectedField['field']; seen: number; schema: string | undefined }>;
  times: number;
}

/** A selection of only id and name has its own schema, because it lacks the required fields of the type. */
function schemaName({ type, fields }: Selection): string {
  return fields.every(({ key }) => key === 'id' || key === 'name') ? `${type.name}Reference` : type.name;
}

/**
 * Object types of all responses. If selections of a type differ, their common schema has the fields of all selections,
 * and requires only fields that every selection contains.
 */
export class ResponseSchemas {
  readonly #types = new Map<string, Occurrences>();
  readonly #known = new Set<Selection>();

  collect({ selection, empty }: SelectedField): void {
    if (!selection || empty || this.#known.has(selection)) return;
    this.#known.add(selection);
    const { description } = selection.type;
    const name = schemaName(selection);
    const type = this.#types.get(name) ?? { description: description ?? '', fields: new Map(), times: 0 };
    this.#types.set(name, type);
    type.times += 1;
    for (const selected of selection.fields) {
      const { seen = 0, schema } = type.fields.get(selected.key) ?? {};
      const own = selected.selection && !selected.empty ? schemaName(selected.selection) : undefined;
      type.fields.set(selected.key, { field: selected.field, seen: seen + 1, schema: schema ?? own });
      this.collect(selected);
    }
  }

  all(): OpenApiObject {
    const types = [...this.#types].sort(([a], [b]) => a.localeCompare(b));
    return Object.fromEntries(types.map(([name, type]) => [name, objectSchema(type)]));
  }
}

function objectSchema({ description, fields, times }: Occurrences): OpenApiObject {
  const required = [...fields]
    .filter(([, { field, seen }]) => (alwaysHasValue(field) || showsNull(field)) && seen === times)
    .map(([key]) => key);
  return {
    type: 'object',
    description,
    ...(required.length && { required }),
    properties: Object.fromEntries(
      [...fields].map(([key, { field, schema }]) => [key, described(schemaOf(field, schema), field.description)]),
    ),
  };
}

function schemaOf(field: SelectedField['field'], name: string | undefined): OpenApiObject {
  const schema = { ...typeSchema(field.type, name), ...(field.extensions.jsonSchema as OpenApiObject) };
  return showsNull(field) ? nullableSchema(schema) : schema;
}

const NULL: OpenApiObject = { type: 'object', nullable: true, enum: [null] };

/**
 * In OpenAPI 3.0, `nullable` affects only `type`. An enum must therefore list null as well, and a `$ref` needs `anyOf`.
 */
export function nullableSchema(schema: OpenApiObject): OpenApiObject {
  if ('$ref' in schema) return { anyOf: [schema, NULL] };
  return { ...schema, ...(Array.isArray(schema.enum) && { enum: [...schema.enum, null] }), nullable: true };
}

/** OpenAPI 3.0 ignores siblings of a `$ref`, so a reference with a description needs a wrapper. */
function described(schema: OpenApiObject, description: string | null | undefined): OpenApiObject {
  if ('$ref' in schema) return { allOf: [schema], description };
  return { ...schema, description: schema.description ? `${description}\n\n${schema.description}` : description };
}
