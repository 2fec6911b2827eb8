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
import { MAX_SLUG_LENGTH, SLUG_PATTERN } from './slug-pattern.js';

/**
 * This file builds the JSON Schema of definitions from the GraphQL types of the catalog, so that each field has one
 * description. The schema omits the fields that the loader derives, and adds a `key` to connectors and strategies.
 */
type JsonSchema = Record<string, unknown>;

const slug = { type: 'string', pattern: SLUG_PATTERN, maxLength: MAX_SLUG_LENGTH };
const key = {
  ...slug,
  description: 'Key, unique within its list. Changing the key replaces the part with a new part, which has a new id.',
};

/** The pattern excludes commas and semicolons, because they separate the parts of a header. */
const prefix = { type: 'string', pattern: '^[\\x20-\\x2b\\x2d-\\x3a\\x3c-\\x7e]+$', maxLength: 50 };

const signatureFormat = {
  type: 'object',
  additionalProperties: false,
  description: 'Format of the signature and timestamp headers. The service rejects deliveries in other formats.',
  properties: {
    encoding: {
      type: 'string',
      enum: ['hex', 'base64'],
      description: 'Encoding of the signature: lowercase `hex` (default) or padded `base64`.',
    },
    prefix: { ...prefix, description: 'Prefix of each signature, such as `sha256=`. Defaults to none.' },
    isList: {
      type: 'boolean',
      description:
        'Whether the signature header can contain several signatures. Requires `prefix`. Defaults to `false`, or to `true` with `timestampPrefix`.',
    },
    timestampPrefix: {
      ...prefix,
      description: 'Prefix of the timestamp, such as `t=`, if the signature header contains the timestamp.',
    },
    separator: {
      type: 'string',
      enum: [',', ';'],
      description:
        'Character between the parts of the signature header. Requires `isList` or `timestampPrefix`. Defaults to a comma.',
    },
    timestampUnit: {
      type: 'string',
      enum: ['seconds', 'milliseconds', 'iso8601'],
      description: 'Format of the timestamp. Defaults to `seconds` (Unix time).',
    },
    idHeader: { type: 'string', description: 'Header with the value of `{id}` in the signature base.' },
  },
};

const OF_PART = [...AUDIT_FIELDS, 'connector'];

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
  Connector: [...AUDIT_FIELDS, 'slug', 'vendor', 'effectiveBaseUrl'],
  ConnectorAuthStrategy: OF_PART,
  InboundAuthStrategy: OF_PART,
  ConnectorTap: OF_PART,
};

const DEFINITION_FIELDS: Record<string, JsonSchema> = {
  PlatformVendor: {
    slug: {
      ...slug,
      description: 'URL-friendly name, unique among all vendors. The name of the file must equal the slug.',
    },
    connectors: {
      type: 'array',
      items: { $ref: '#/$defs/Connector' },
      description: 'Connectors of the vendor.',
    },
  },
  PlatformVendorGrouping: {
    slug: { ...slug, description: 'URL-friendly name, unique among the siblings.' },
    connector: { ...slug, description: 'Key of the connector that a leaf offers.' },
    strategiesOf: {
      ...slug,
      description: 'For a leaf without a connector: key of the connector whose strategies the leaf shows.',
    },
  },
  // `value` must not be null, because REST responses contain the stored condition and never contain null.
  FieldInclusion: {
    value: {
      type: ['string', 'number', 'boolean'],
      description: 'Value that the key must have. If `value` is not set, the key must be missing or null.',
    },
  },
  DefinitionSource: {
    checkedAt: {
      type: 'string',
      format: 'date',
      description:
        'Date of the last comparison of the definition with the document or repository, such as `2026-11-22`.',
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
      description: 'Name, unique within the connector.',
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
    description: 'A vendor of the catalog with its connectors and groupings. Each vendor has one YAML file.',
    ...root,
    $defs: Object.fromEntries(Object.entries(defs).sort(([a], [b]) => a.localeCompare(b))),
  };
}

function objectSchema(type: GraphQLObjectType, defs: Record<string, JsonSchema>): JsonSchema {
  const written = DEFINITION_FIELDS[type.name] ?? {};
  const fields = Object.values(type.getFields()).filter(
    ({ name, extensions }) => !extensions.isEdge && !DERIVED_FIELDS[type.name]?.includes(name),
  );
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
    defs[object.name] = {}; // Ends the recursion for types that refer to themselves.
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
