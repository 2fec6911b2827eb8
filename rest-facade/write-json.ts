import { getNullableType, isListType } from 'graphql';
import type { SelectedField, Selection } from './shape.js';

type Write = (value: unknown) => string;

/**
 * Compiles the JSON writer of a selected field: the documented fields in the documented order, those without a value
 * left out. It is written by hand because `JSON.stringify` with a replacer costs several times as much, and because
 * nulls inside a free-form object are the vendor's and stay.
 */
export function jsonWriter({ field, selection }: SelectedField): Write {
  const type = getNullableType(field.type);
  if (!selection) return JSON.stringify;
  const write = objectWriter(selection);
  return isListType(type) ? (value) => `[${(value as unknown[]).map(write).join(',')}]` : write;
}

function objectWriter({ fields }: Selection): Write {
  const parts = fields.map((field) => ({
    key: field.key,
    prefix: `${JSON.stringify(field.key)}:`,
    write: field.empty ? undefined : jsonWriter(field),
  }));
  return (value) => {
    const object = value as Record<string, unknown>;
    let text = '';
    for (const { key, prefix, write } of parts) {
      const field = object[key];
      if (write && (field === null || field === undefined)) continue;
      text += text ? `,${prefix}` : prefix;
      text += write ? write(field) : '[]';
    }
    return `{${text}}`;
  };
}
