import { INPUT_CLASSES, TextField } from '../../ui/text-field.js';

/** The keywords of JSON Schema that definitions use for configurations. */
export interface ConfigSchema {
  properties?: Record<string, ConfigProperty>;
  required?: string[];
}

interface ConfigProperty {
  type?: string | string[];
  title?: string;
  description?: string;
  default?: unknown;
  enum?: unknown[];
  secret?: boolean;
  items?: unknown;
}

interface ConfigFieldsProps {
  schema: ConfigSchema | null | undefined;
  /** Distinguishes the fields of two schemas in one form. */
  prefix: string;
  /**
   * Whether the form changes an existing configuration. If the user leaves a secret empty, the service keeps the stored
   * secret.
   */
  isRepair: boolean;
}

export function ConfigFields({ schema, prefix, isRepair }: ConfigFieldsProps) {
  return Object.entries(schema?.properties ?? {}).map(([key, property]) => (
    <ConfigField
      key={key}
      name={`${prefix}.${key}`}
      label={property.title ?? key}
      property={property}
      isRequired={Boolean(schema?.required?.includes(key)) && !(isRepair && property.secret)}
      keepsSecret={isRepair && Boolean(property.secret)}
    />
  ));
}

interface ConfigFieldProps {
  name: string;
  label: string;
  property: ConfigProperty;
  isRequired: boolean;
  keepsSecret: boolean;
}

function ConfigField({ name, label, property, isRequired, keepsSecret }: ConfigFieldProps) {
  const type = typeOf(property);
  if (type === 'boolean') {
    return (
      <label className="flex items-start gap-2 text-sm">
        <input type="checkbox" name={name} defaultChecked={property.default === true} className="mt-0.5" />
        <span>
          <span className="font-medium">{label}</span>
          {property.description && <span className="block text-xs text-muted">{property.description}</span>}
        </span>
      </label>
    );
  }
  if (property.enum) {
    return (
      <label className="block text-sm font-medium">
        {label}
        <select
          name={name}
          required={isRequired}
          defaultValue={String(property.default ?? '')}
          className={INPUT_CLASSES}
        >
          {!isRequired && <option value="" />}
          {property.enum.map((value) => (
            <option key={String(value)}>{String(value)}</option>
          ))}
        </select>
        {property.description && (
          <span className="mt-1 block text-xs font-normal text-muted">{property.description}</span>
        )}
      </label>
    );
  }
  const isList = type === 'array' || type === 'object';
  return (
    <TextField
      name={name}
      label={label}
      required={isRequired}
      help={[property.description, type === 'array' && 'One value per line.', type === 'object' && 'A JSON object.']
        .filter(Boolean)
        .join(' ')}
      placeholder={keepsSecret ? 'unchanged' : undefined}
      isMultiline={
        isList || (property.secret && /key|json/i.test(label) && /PEM|JSON|BEGIN/.test(property.description ?? ''))
      }
      type={property.secret ? 'password' : type === 'integer' || type === 'number' ? 'number' : 'text'}
      autoComplete="off"
      defaultValue={property.default === undefined ? '' : defaultText(property.default)}
    />
  );
}

function typeOf({ type }: ConfigProperty): string {
  return (Array.isArray(type) ? type.find((one) => one !== 'null') : type) ?? 'string';
}

function defaultText(value: unknown): string {
  if (Array.isArray(value)) return value.join('\n');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const PARSERS: Readonly<Record<string, (text: string) => unknown>> = {
  array: (text) =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
  integer: Number,
  number: Number,
  object: (text) => JSON.parse(text),
};

/** Omits empty inputs. */
export function readConfigFields(
  schema: ConfigSchema | null | undefined,
  form: FormData,
  prefix: string,
): Record<string, unknown> {
  const entries = Object.entries(schema?.properties ?? {}).flatMap(([key, property]): [string, unknown][] => {
    const type = typeOf(property);
    const text = form.get(`${prefix}.${key}`);
    if (type === 'boolean') return [[key, text === 'on']];
    if (typeof text !== 'string' || text === '') return [];
    return [[key, PARSERS[type]?.(text) ?? text]];
  });
  return Object.fromEntries(entries);
}
