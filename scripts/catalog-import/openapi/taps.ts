import type { TapDefinition } from '../../../src/catalog/definitions/definition.js';
import type { JsonNode, ResolveReference } from '../../catalog-compare/documents.js';
import { propertiesOf } from '../../catalog-compare/json-schema.js';
import { schemaOf } from '../../catalog-compare/openapi-operations.js';
import { sourceOf } from '../draft.js';
import { toJmesPath, toVariable } from '../names.js';
import type { Notes } from '../notes.js';
import { isNode } from '../source-file.js';
import type { ListOperation } from './list-operations.js';
import { detectPaging } from './paging.js';
import { recordSchema } from './record-schema.js';

const CHANGE_FILTER = /^(updated|modified|changed|last_?modified)\W?_?(since|after|at|from|gte?|min|start)/i;

/** The tap has the sync mode `full`. */
export function draftTap(list: ListOperation, file: string, notes: Notes): TapDefinition {
  const { name, operation, record, names } = list;
  const part = `tap ${name}`;
  const { resolve, pointer } = operation;
  const paging = detectPaging({ ...operation, listNames: names });
  for (const check of paging.checks) notes.check(part, pointer, check);
  const properties = propertiesOf(record, resolve);
  if (!properties) notes.todo(part, pointer, 'set schema; the file does not describe the fields of the records');
  const hasId = properties?.has('id') ?? false;
  if (!hasId) notes.todo(part, pointer, 'set primaryKey; the records have no field named id');
  if (list.isAmbiguous) notes.check(part, pointer, `check responsePath; the response has several lists`);
  const queryParams = { ...requiredParameters(list, paging.parameters, part, notes), ...paging.queryParams };
  const scopes = scopesOf(operation.definition.security);
  for (const parameter of operation.query.keys())
    if (CHANGE_FILTER.test(parameter))
      notes.check(part, pointer, `the parameter ${parameter} may allow sync mode incremental`);
  return {
    name,
    enabledByDefault: true,
    identityDirectory: false,
    responseExtraction: {
      ...(hasId && { primaryKey: 'id' }),
      ...(names.length > 0 && { responsePath: toJmesPath(names) }),
    },
    schema: recordSchema(record, resolve),
    sync: { mode: 'full', ...(scopes.length > 0 && { scopes }) },
    transportOptions: [
      {
        apiType: 'rest',
        pagination: paging.pagination,
        restConfig: {
          endpoint: endpointOf(operation.path),
          ...(Object.keys(queryParams).length > 0 && { queryParams }),
        },
      },
    ],
    sources: sourceOf(file),
    unverified: [
      ...(hasId ? ['responseExtraction.primaryKey'] : []),
      ...(list.isAmbiguous ? ['responseExtraction.responsePath'] : []),
      'transportOptions.0.pagination',
    ],
  };
}

/** Renames the variables of a path, because templates accept fewer names. */
export function endpointOf(path: string): string {
  return path.replace(/\{([^{}]*)\}/g, (_, name) => `{${toVariable(name)}}`);
}

/**
 * Returns the required query parameters that have a default or only one allowed value. Adds a note for each other
 * required parameter. Skips path parameters and the parameters in `known`.
 */
function requiredParameters(
  { operation: { parameters, pointer, resolve } }: ListOperation,
  known: readonly string[],
  part: string,
  notes: Notes,
): Record<string, unknown> {
  const values: [string, unknown][] = [];
  for (const parameter of parameters) {
    const name = String(parameter.name);
    if (parameter.required !== true || parameter.in === 'path' || known.includes(name)) continue;
    const value = parameter.in === 'query' ? fixedValueOf(parameter, resolve) : undefined;
    if (value === undefined)
      notes.todo(part, pointer, `the request requires a value for ${name} (${String(parameter.in)})`);
    else values.push([name, value]);
  }
  return Object.fromEntries(values);
}

function fixedValueOf(parameter: JsonNode, resolve: ResolveReference): string | number | boolean | undefined {
  const { default: preset, enum: values } = schemaOf(parameter, resolve);
  const value = preset ?? (Array.isArray(values) && values.length === 1 ? values[0] : undefined);
  const isPlain = ['string', 'number', 'boolean'].includes(typeof value) && !String(value).includes('{');
  return isPlain ? (value as string | number | boolean) : undefined;
}

function scopesOf(security: unknown): string[] {
  const requirements = Array.isArray(security) ? security.filter(isNode) : [];
  const scopes = requirements
    .flatMap((one) => Object.values(one))
    .find((list) => Array.isArray(list) && list.length > 0);
  return ((scopes ?? []) as unknown[]).filter((scope) => typeof scope === 'string');
}
