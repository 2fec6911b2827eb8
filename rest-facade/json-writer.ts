import { getNullableType, isEnumType, isListType, isNonNullType, isScalarType } from 'graphql';
import { type SelectedField, type Selection, showsNull } from './selection.js';

type Write = (value: unknown) => string;

export interface JsonValues {
  /** Writes a value of a result: free-form JSON, a string, a number or a list. */
  readonly write: Write;
  /**
   * Returns whether `write` serializes the value. The facade serializes all other values, which are objects or lists of
   * objects.
   */
  readonly isText: (value: unknown) => boolean;
}

const inQuotes: Write = (value) => `"${value}"`;

/** Scalars whose text needs no escaping. `JsonValues` writes all other scalars. */
const PLAIN: Record<string, Write> = { Base62Id: inQuotes, DateTime: inQuotes, Int: String, Boolean: String };

/**
 * Writes the fields in the documented order. Omits fields without a value, except fields with documented nulls.
 * `JSON.stringify` with a replacer would be several times slower, and would also remove nulls inside vendor data.
 */
export function compileJsonWriter({ field, selection }: SelectedField, json: JsonValues): Write {
  const type = getNullableType(field.type);
  if (selection) {
    const writeObject = objectWriter(selection, json);
    const write = isListType(type) ? listWriter(writeObject) : writeObject;
    if (!selection.type.extensions.isRow) return (value) => (json.isText(value) ? json.write(value) : write(value));
    return !isListType(type) && isShared(selection) ? onceWriter(write) : write;
  }
  if (isEnumType(type)) return inQuotes;
  return (isScalarType(type) && PLAIN[type.name]) || json.write;
}

/**
 * Returns whether several objects of a result may contain the same object, such as the vendor of several groupings.
 * GraphQL execution reuses an object in several places only if the object has no nested objects.
 */
function isShared({ fields }: Selection): boolean {
  return fields.every(({ selection, empty }) => empty || !selection);
}

/** Caches the text of each object, because several fields may contain the same object. */
function onceWriter(write: Write): Write {
  const texts = new WeakMap<object, string>();
  return (value) => {
    const known = texts.get(value as object);
    if (known !== undefined) return known;
    const text = write(value);
    texts.set(value as object, text);
    return text;
  };
}

function listWriter(write: Write): Write {
  return (value) => {
    let text = '[';
    for (const item of value as unknown[]) text += text.length > 1 ? `,${write(item)}` : write(item);
    return `${text}]`;
  };
}

/**
 * Each field has its own writer with a constant property name, so that V8 can cache the position of the property. Each
 * part of the text takes memory until the facade sends the response, so the writer joins constant parts.
 */
function objectWriter({ fields }: Selection, json: JsonValues): Write {
  const writers = fields.map((field) => (field.empty ? undefined : compileJsonWriter(field, json)));
  let hasFields = false; // Whether an earlier field always writes text, so that a comma always precedes this field.
  const lines = fields.map((selected, i) => {
    const { key, empty, field } = selected;
    const name = JSON.stringify(key);
    const append = (before: string, value: string): string => {
      const constant = JSON.stringify(`${hasFields ? ',' : ''}${name}:${before}`);
      return `text += ${hasFields ? '' : `(text ? ',' : '') + `}${constant}${value};`;
    };
    const isQuoted = writers[i] === inQuotes;
    const written = isQuoted ? append('"', ` + value + '"'`) : append('', ` + writers[${i}](value)`);
    const absent = showsNull(field) ? ` else ${append('null', '')}` : '';
    const line = empty
      ? append('[]', '')
      : `value = object[${name}]; if (value !== null && value !== undefined) ${written}${absent}`;
    hasFields ||= empty || showsNull(field) || isNonNullType(field.type);
    return line;
  });
  const body = `return (object) => { let text = ''; let value; ${lines.join('\n')} return '{' + text + '}'; };`;
  return new Function('writers', body)(writers);
}
