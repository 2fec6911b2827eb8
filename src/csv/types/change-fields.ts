import { CsvError } from '../model/csv-error.js';
import type { DataSchema, FieldType, SchemaField } from '../model/data-schema.js';
import { createFieldReader } from './field-reader.js';

/** Column settings that a user has entered, such as name and type. */
export type GivenField = Pick<SchemaField, 'name' | 'type'> & Partial<Omit<SchemaField, 'title'>>;

type Detail = Exclude<keyof GivenField, 'name' | 'type' | 'nullable' | 'nullTokens'>;

const DATETIME_DETAILS: readonly Detail[] = ['format', 'language'];

const DETAILS: Readonly<Record<FieldType, readonly Detail[]>> = {
  String: [],
  Boolean: ['booleans'],
  Integer: ['groupSeparator'],
  Decimal: ['precision', 'scale', 'decimalSeparator', 'groupSeparator', 'unit', 'negativeInParentheses'],
  Double: ['decimalSeparator', 'groupSeparator'],
  Date: DATETIME_DETAILS,
  DateTime: DATETIME_DETAILS,
  DateTimeOffset: DATETIME_DETAILS,
  Time: DATETIME_DETAILS,
  UUID: [],
  JSON: [],
};
const ALL_DETAILS = new Set(Object.values(DETAILS).flat());

/**
 * Replaces fields of a schema. `toField` combines a field of the schema with the given field of this name. Throws
 * `CsvError` WA-AF-031 for an unknown or repeated field, and for a property that is invalid or does not apply to the
 * type.
 */
export function changeFields(
  schema: DataSchema,
  given: readonly GivenField[],
  toField: (field: SchemaField, given: GivenField) => SchemaField,
): DataSchema {
  const fields = new Map(schema.fields.map((field) => [field.name, field]));
  const changed = new Map<string, SchemaField>();
  for (const one of given) {
    const field = fields.get(one.name);
    if (!field) throw invalidColumn(one, 'does not exist in the file');
    if (changed.has(one.name)) throw invalidColumn(one, 'occurs more than once in the request');
    requireApplicableDetails(one);
    changed.set(one.name, requireValidFormat(toField(field, one)));
  }
  return { ...schema, fields: schema.fields.map((field) => changed.get(field.name) ?? field) };
}

/**
 * `nullable` defaults to true if there are null tokens, and otherwise to its value in the schema. Throws `CsvError`
 * WA-AF-031 for a Decimal without `scale`.
 */
export function withGivenType({ name, title, nullable }: SchemaField, given: GivenField): SchemaField {
  if (given.type === 'Decimal' && given.scale === undefined) throw invalidColumn(given, 'requires `scale`');
  const tokens = given.nullTokens ?? [];
  return {
    ...{ name, ...(title !== undefined && { title }) },
    ...withoutNullTokens(given),
    nullable: given.nullable ?? (tokens.length > 0 || nullable),
    ...(tokens.length > 0 && { nullTokens: tokens }),
  };
}

/** `fault` completes a sentence that starts with the name of the column. */
export function invalidColumn({ name }: Pick<GivenField, 'name'>, fault: string): CsvError {
  return new CsvError('WA-AF-031', `Column ${JSON.stringify(name)} ${fault}.`);
}

export function detailNames(type: FieldType): string {
  return DETAILS[type].map((detail) => `\`${detail}\``).join(', ');
}

export function hasDetails(given: GivenField): boolean {
  return DETAILS[given.type].some((detail) => given[detail] !== undefined);
}

export function unreadableColumn({ name, type }: Pick<GivenField, 'name' | 'type'>): CsvError {
  return invalidColumn({ name }, `has the type ${type} with missing or invalid properties (${detailNames(type)})`);
}

function withoutNullTokens({ nullTokens: _, ...given }: GivenField): GivenField {
  return given;
}

function requireApplicableDetails(given: GivenField): void {
  const other = [...ALL_DETAILS].find((name) => given[name] !== undefined && !DETAILS[given.type].includes(name));
  if (other) throw invalidColumn(given, `has the type ${given.type}, to which \`${other}\` does not apply`);
}

function requireValidFormat(field: SchemaField): SchemaField {
  if (createFieldReader(field)) return field;
  throw unreadableColumn(field);
}
