import type { ConnectorTap } from '../../../src/catalog/model/connector-tap.js';
import type { Lean } from '../../../src/kernel/reading/reader.js';

export type SimulatedTap = Pick<Lean<ConnectorTap>, 'name' | 'schema' | 'responseExtraction' | 'sync'>;
export type SimulatedRecord = Readonly<Record<string, unknown>>;

/** Values in a vendor's own format, by the path of their field. */
export type VendorValues = Readonly<Record<string, (nth: number) => unknown>>;

interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: FieldSchema;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
}

interface Field {
  readonly path: string;
  readonly schema: FieldSchema;
}

interface Options {
  readonly nth: number;
  readonly values: VendorValues;
  readonly required: readonly string[];
}

const START_MS = Date.UTC(2026, 0, 5, 10);
const TEXT_FORMATS: Readonly<Record<string, (nth: number) => string>> = {
  'date-time': (nth) => timeOf(nth).toISOString(),
  date: (nth) => timeOf(nth).toISOString().slice(0, 10),
  email: (nth) => `person-${nth}@acme.test`,
  uri: (nth) => `https://acme.test/things/${nth}?a=1&b=2`,
  uuid: (nth) => `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`,
};

export function timeOf(nth: number): Date {
  return new Date(START_MS + nth * 60_000);
}

/**
 * Returns record `nth` of a tap in the format of its vendor. The JSON schema of the tap determines the fields. In every
 * third record, optional fields are null if the schema allows it. `added` are fields that the vendor does not send.
 */
export function sampleRecord(
  { schema, responseExtraction, sync }: SimulatedTap,
  nth: number,
  { values = {}, added = [] }: { values?: VendorValues | undefined; added?: readonly string[] } = {},
): SimulatedRecord {
  const { primaryKey, syntheticPrimaryKey } = responseExtraction;
  const required = [primaryKey, ...(syntheticPrimaryKey?.fields ?? []), sync.cursorField].filter(
    (field) => typeof field === 'string',
  );
  const left = [...added, syntheticPrimaryKey?.outputField];
  const properties = Object.entries((schema as FieldSchema).properties ?? {}).filter(([name]) => !left.includes(name));
  return sampleObject(Object.fromEntries(properties), '', { nth, values, required });
}

function sampleObject(properties: FieldSchema['properties'], prefix: string, options: Options): SimulatedRecord {
  const fields = Object.entries(properties ?? {});
  return Object.fromEntries(fields.map(([name, schema]) => [name, sample({ path: prefix + name, schema }, options)]));
}

function sample({ path, schema }: Field, options: Options): unknown {
  const { nth, values, required } = options;
  const own = values[path];
  if (own) return own(nth);
  const types = [schema.type ?? 'string'].flat();
  if (types.includes('null') && nth % 3 === 2 && !required.includes(path)) return null;
  if (schema.const !== undefined) return schema.const;
  const choices = schema.enum?.filter((choice) => choice !== null);
  if (choices?.length) return choices[nth % choices.length];
  switch (types.find((type) => type !== 'null')) {
    case 'integer':
      return required.includes(path) && path !== 'id' ? timeOf(nth).getTime() / 1_000 : 1_000 + nth;
    case 'number':
      return nth + 0.5;
    case 'boolean':
      return nth % 2 === 0;
    case 'array':
      return schema.items ? [sample({ path: `${path}[]`, schema: schema.items }, options)] : [];
    case 'object':
      return sampleObject(schema.properties, `${path}.`, options);
    default:
      return sampleText(path, schema, nth, types.includes('null'));
  }
}

/** Optional strings have characters that JSON, CSV and URLs must escape. */
function sampleText(path: string, { format = '' }: FieldSchema, nth: number, isOptional: boolean): string {
  const formatted = TEXT_FORMATS[format]?.(nth);
  if (formatted !== undefined) return formatted;
  const name = path.split('.').at(-1) ?? path;
  return isOptional ? `${name} ${nth}, "ü" & 100 %\nsecond line` : `${name}-${nth}`;
}
