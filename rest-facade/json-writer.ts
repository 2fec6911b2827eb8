import { getNullableType, isEnumType, isListType, isScalarType } from 'graphql';
import { type SelectedField, type Selection, showsNull } from './selection.js';

type Write = (value: unknown) => string;

const inQuotes: Write = (value) => `"${value}"`;

/** Scalars whose text needs no escaping; all others go through JSON.stringify. */
const PLAIN: Record<string, Write> = { Base62Id: inQuotes, DateTime: inQuotes, Int: String, Boolean: String };

/**
 * Compiles the JSON writer of a selected field. It writes the documented fields in their order and omits fields without
 * a value, except fields that are documented as nullable. `JSON.stringify` with a replacer is several times slower and
 * would also remove nulls inside free-form objects, which are vendor data.
 */
export function compileJsonWriter({ field, selection }: SelectedField): Write {
  const type = getNullableType(field.type);
  if (selection) return isListType(type) ? listWriter(objectWriter(selection)) : objectWriter(selection);
  if (isEnumType(type)) return inQuotes;
  return (isScalarType(type) && PLAIN[type.name]) || JSON.stringify;
}

function listWriter(write: Write): Write {
  return (value) => {
    let text = '';
    for (const item of value as unknown[]) text += text ? `,${write(item)}` : write(item);
    return `[${text}]`;
  };
}

/** Compiled per field, so that each access names its property and V8 can cache its position. */
function objectWriter({ fields }: Selection): Write {
  const writers = fields.map((field) => (field.empty ? undefined : compileJsonWriter(field)));
  const lines = fields.map(({ key, empty, field }, i) => {
    const name = JSON.stringify(key);
    const append = (value: string): string => `text += (text ? ',' : '') + ${JSON.stringify(`${name}:`)} + ${value};`;
    if (empty) return append("'[]'");
    const written = `value = object[${name}]; if (value !== null && value !== undefined) ${append(`writers[${i}](value)`)}`;
    return showsNull(field) ? `${written} else ${append("'null'")}` : written;
  });
  const body = `return (object) => { let text = ''; let value; ${lines.join('\n')} return '{' + text + '}'; };`;
  return new Function('writers', body)(writers);
}
