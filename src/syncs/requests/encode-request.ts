import { OBJECT_NAME } from '../../catalog/model/object-tap.js';
import type { BodyEncoding } from '../../catalog/model/transport-option.js';
import { templateVariables } from '../../catalog/template-variables.js';
import type { SourceCallRequest } from '../../sources/calls/call-source.js';
import { isPathValue, type PathVariables } from '../../sources/path-variable.js';
import type { QueryParameters } from '../../sources/source-address.js';
import type { TapReading } from '../tap-reading.js';
import { hasBody, type RequestDraft } from './request-draft.js';
import { missingParentValue } from './template-values.js';

const CONTENT_TYPES: Readonly<Record<Exclude<BodyEncoding, 'json'>, string>> = {
  form: 'application/x-www-form-urlencoded',
  xml: 'application/xml',
  text: 'text/plain; charset=utf-8',
};

/** `own` contains values of path variables that `reading` lacks. */
export function encodeRequest(
  draft: RequestDraft,
  reading: TapReading,
  own: Readonly<Record<string, string>> = {},
): SourceCallRequest {
  const { method, path, query } = draft;
  const encoding = draft.isGraphql ? 'json' : (reading.option.restConfig?.bodyEncoding ?? 'json');
  const body = hasBody(draft) && draft.body !== undefined ? encodeBody(draft.body, encoding) : {};
  return {
    method,
    path,
    variables: pathVariables(path, reading, own),
    query: queryParameters(query),
    ...body,
    headers: { ...('text' in body && contentType(encoding)), ...draft.headers },
  };
}

/**
 * Omits config fields and address variables, which `callSource` inserts. Throws `TapReadError` for a value that cannot
 * be part of a path.
 */
function pathVariables(path: string, reading: TapReading, own: Readonly<Record<string, string>>): PathVariables {
  const encodings = reading.option.restConfig?.pathParamEncodings ?? {};
  const { objectName } = reading.tap;
  const values: Record<string, string> = {
    ...(objectName && { [OBJECT_NAME]: objectName }),
    ...reading.variables,
    ...own,
  };
  const names = [...new Set(templateVariables(path))].filter((name) => Object.hasOwn(values, name));
  return Object.fromEntries(
    names.map((name) => {
      const variable = { text: values[name] ?? '', hasSegments: encodings[name] === 'none' };
      if (!isPathValue(variable)) throw missingParentValue(name);
      return [name, variable];
    }),
  );
}

function queryParameters(query: Readonly<Record<string, unknown>>): QueryParameters {
  const parameters = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(
    parameters.map(([name, value]) => [name, Array.isArray(value) ? value.map(parameter) : parameter(value)]),
  );
}

function parameter(value: unknown): string | number | boolean {
  return typeof value === 'number' || typeof value === 'boolean' ? value : text(value);
}

function encodeBody(body: unknown, encoding: BodyEncoding): Pick<SourceCallRequest, 'json' | 'text'> {
  if (encoding === 'json') return { json: body };
  if (encoding === 'form') return { text: new URLSearchParams(formFields(body)).toString() };
  return { text: text((body as { text?: unknown }).text ?? '') };
}

function contentType(encoding: BodyEncoding): Record<string, string> {
  return encoding === 'json' ? {} : { 'content-type': CONTENT_TYPES[encoding] };
}

/** Returns form fields. Nested values have the form `a[b]=c`, and lists become repeated fields. Omits nulls. */
function formFields(value: unknown, prefix = ''): [string, string][] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap((item) => formFields(item, prefix));
  if (typeof value !== 'object' || isRawNumber(value)) return [[prefix, text(value)]];
  return Object.entries(value).flatMap(([name, item]) => formFields(item, prefix ? `${prefix}[${name}]` : name));
}

function text(value: unknown): string {
  if (isRawNumber(value)) return value.rawJSON;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : `${value}`;
}

function isRawNumber(value: unknown): value is { rawJSON: string } {
  return typeof value === 'object' && value !== null && typeof (value as { rawJSON?: unknown }).rawJSON === 'string';
}
