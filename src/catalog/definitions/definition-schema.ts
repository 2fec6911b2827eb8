import {
  GraphQLEnumType,
  type GraphQLField,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLScalarType,
  type GraphQLSchema,
} from 'graphql';
import { AUDIT_FIELDS } from '../../kernel/entities/audited.js';

/**
 * Prints the JSON Schema of a vendor definition from the catalog's GraphQL types, so that a field is described once.
 * What differs from the types is said here: fields that the loader fills in, and the keys by which a definition names
 * its parts.
 */
type JsonSchema = Record<string, unknown>;

const slug = { type: 'string', pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', maxLength: 64 };
const key = { ...slug, description: 'Names this part within the file. Changing it makes a new part with a new id.' };

/** Parts of a header with commas between them begin with it. */
const prefix = { type: 'string', pattern: '^[\\x20-\\x2b\\x2d-\\x7e]+$', maxLength: 50 };

const signatureFormat = {
  type: 'object',
  additionalProperties: false,
  description: 'How signature and timestamp are spelled in their headers: no other spelling is accepted.',
  properties: {
    encoding: {
      type: 'string',
      enum: ['hex', 'base64'],
      description: '`hex` where left out, in lower case; base64 with its padding.',
    },
    prefix: { ...prefix, description: 'What stands before each signature, such as `sha256=`; nothing where left out.' },
    timestampPrefix: {
      ...prefix,
      description: "What stands before the timestamp, such as `t=`, where it shares the signature's header.",
    },
    timestampUnit: {
      type: 'string',
      enum: ['seconds', 'milliseconds', 'iso8601'],
      description: '`seconds` since 1970 where left out.',
    },
    idHeader: { type: 'string', description: 'Header with the `{id}` of the signature base.' },
  },
};

const DERIVED_FIELDS: Record<string, string[]> = {
  PlatformVendor: ['id'],
  PlatformVendorGrouping: [
    'id',
    'vendor',
    'parent',
    'connectorId',
    'isLeaf',
    'breadcrumbs',
    'groupingPath',
    'ingestionConfigSchema',
    'supportedAuthStrategies',
    'supportedInboundAuthStrategies',
  ],
  Connector: [...AUDIT_FIELDS, 'slug'],
  ConnectorAuthStrategy: AUDIT_FIELDS,
  InboundAuthStrategy: AUDIT_FIELDS,
  ConnectorTap: AUDIT_FIELDS,
};

const DEFINITION_FIELDS: Record<string, JsonSchema> = {
  PlatformVendor: {
    slug: { ...slug, description: 'URL-friendly name, unique among all vendors; equal to the file name.' },
    connectors: {
      type: 'array',
      items: { $ref: '#/$defs/Connector' },
      description: 'Connectors that the groupings offer.',
    },
  },
  PlatformVendorGrouping: {
    slug: { ...slug, description: 'URL-friendly name, unique among its siblings.' },
    connector: { ...slug, description: 'Key of the connector that a leaf offers.' },
    strategiesOf: {
      ...slug,
      description: 'Key of the connector whose strategies a planned leaf shows; only for one without a connector.',
    },
  },
  Connector: { key },
  ConnectorAuthStrategy: { key },
  InboundAuthStrategy: { key, signatureFormat },
  ConnectorTap: {
    name: {
      type: 'string',
      pattern: '^[a-z][a-z0-9_]*$',
      maxLength: 64,
      description: 'Name within the connector; taps are told apart by it.',
    },
  },
};

const OPTIONAL_FIELDS = [
  'PlatformVendorGrouping.groupings',
  'PlatformVendorGrouping.sortOrder',
  'PlatformVendor.connectors',
];

export function buildDefinitionSchema(schema: GraphQLSchema): JsonSchema {
  const defs: Record<string, JsonSchema> = {};
  const root = objectSchema(schema.getType('PlatformVendor') as GraphQLObjectType, defs);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Vendor definition',
    description: 'One vendor of the catalog with its connectors and groupings. One YAML file each.',
    ...root,
    $defs: Object.fromEntries(Object.entries(defs).sort(([a], [b]) => a.localeCompare(b))),
  };
}

function objectSchema(type: GraphQLObjectType, defs: Record<string, JsonSchema>): JsonSchema {
  const written = DEFINITION_FIELDS[type.name] ?? {};
  const fields = Object.values(type.getFields()).filter(({ name }) => !DERIVED_FIELDS[type.name]?.includes(name));
  const properties = {
    ...Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field, defs)])),
    ...written,
  };
  const required = fields.filter((field) => field.type instanceof GraphQLNonNull).map(({ name }) => name);
  if ('key' in written) required.unshift('key');
  return {
    type: 'object',
    additionalProperties: false,
    properties,
    required: required.filter((name) => !OPTIONAL_FIELDS.includes(`${type.name}.${name}`)),
  };
}

function fieldSchema(field: GraphQLField<unknown, unknown>, defs: Record<string, JsonSchema>): JsonSchema {
  return { ...typeSchema(field.type, defs), ...(field.description && { description: field.description }) };
}

function typeSchema(type: GraphQLOutputType, defs: Record<string, JsonSchema>): JsonSchema {
  if (type instanceof GraphQLNonNull) return typeSchema(type.ofType, defs);
  if (type instanceof GraphQLList) return { type: 'array', items: typeSchema(type.ofType, defs) };
  if (type instanceof GraphQLEnumType) return { type: 'string', enum: type.getValues().map(({ name }) => name) };
  if (type instanceof GraphQLScalarType) return scalarSchema(type);
  const object = type as GraphQLObjectType;
  if (!(object.name in defs)) {
    defs[object.name] = {}; // named before it is filled: types refer to themselves
    defs[object.name] = objectSchema(object, defs);
  }
  return { $ref: `#/$defs/${object.name}` };
}

const BUILT_IN_SCALARS: Record<string, JsonSchema> = {
  String: { type: 'string' },
  Int: { type: 'integer', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
  JSON: {},
  JSONObject: { type: 'object' },
};

function scalarSchema(type: GraphQLScalarType): JsonSchema {
  const own = type.extensions.jsonSchema as JsonSchema | undefined;
  return BUILT_IN_SCALARS[type.name] ?? { type: own?.type, format: own?.format };
}
