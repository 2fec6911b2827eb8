import type { TapDefinition } from '../../../src/catalog/definitions/definition.js';
import type { ResponseExtraction } from '../../../src/catalog/model/response-extraction.js';
import type { ResolveReference } from '../../catalog-compare/documents.js';
import { sourceOf } from '../draft.js';
import { toJmesPath } from '../names.js';
import type { Notes } from '../notes.js';
import { recordSchema } from '../openapi/record-schema.js';
import type { Component } from './component.js';
import type { ConfigFields } from './config-fields.js';
import { readIncremental } from './incremental.js';
import type { ManifestStream } from './manifest-stream.js';
import { readPaginator } from './paginators.js';

export interface StreamContext {
  readonly file: string;
  readonly resolve: ResolveReference;
  readonly fields: ConfigFields;
  readonly notes: Notes;
}

const OMITTED_OF_REQUESTER = ['error_handler', 'request_body', 'request_body_json', 'request_body_data'];

export function draftStream(
  { tapName, stream, retriever, requester }: ManifestStream,
  context: StreamContext,
): TapDefinition {
  const { file, resolve, fields, notes } = context;
  const part = `tap ${tapName}`;
  const selector = retriever?.child('record_selector');
  const recordNames = pathOf(selector?.child('extractor'), part, notes);
  const paging = readPaginator(retriever?.child('paginator'), recordNames, part, notes);
  const schema = stream.child('schema_loader')?.child('schema')?.content;
  if (!schema) notes.todo(part, stream.pointer, 'set schema; the file does not contain the schema of the records');
  noteOmissions(stream, requester, selector, part, notes);
  const converted = (name: string): Record<string, string> =>
    Object.fromEntries(
      (requester?.entries(name) ?? []).flatMap(([key, value]): [string, string][] => {
        const template = fields.convert(value, part, `${requester?.pointer}/${name}`);
        return template ? [[key, template.text]] : [];
      }),
    );
  const queryParams = { ...converted('request_parameters'), ...paging.queryParams };
  const headers = converted('request_headers');
  return {
    name: tapName,
    enabledByDefault: true,
    identityDirectory: false,
    responseExtraction: {
      ...keyOf(stream, part, notes),
      ...(recordNames.length > 0 && { responsePath: toJmesPath(recordNames) }),
    },
    schema: recordSchema(schema ?? {}, resolve),
    sync: readIncremental(stream.child('incremental_sync'), part, notes),
    transportOptions: [
      {
        apiType: 'rest',
        pagination: paging.pagination,
        restConfig: {
          endpoint: endpointOf(requester, part, context),
          ...(Object.keys(queryParams).length > 0 && { queryParams }),
          ...(Object.keys(headers).length > 0 && { headers }),
        },
      },
    ],
    sources: sourceOf(file),
  };
}

function endpointOf(requester: Component | undefined, part: string, { fields, notes }: StreamContext): string {
  const path = requester?.text('path') ?? '';
  const template = path && fields.convert(path, part, `${requester?.pointer}/path`);
  if (!template) {
    notes.todo(part, requester?.pointer ?? '#', 'set endpoint; the file has no usable path');
    return '/';
  }
  return template.text.startsWith('/') ? template.text : `/${template.text}`;
}

function pathOf(extractor: Component | undefined, part: string, notes: Notes): string[] {
  const path = extractor?.value('field_path');
  const names = (Array.isArray(path) ? path : []).map(String);
  const isPlain = names.every((name) => name !== '*' && !name.includes('{'));
  if (isPlain && (!extractor || extractor.type === 'DpathExtractor')) return names;
  notes.todo(part, extractor?.pointer ?? '#', 'set responsePath; the command cannot convert the record path');
  return [];
}

function keyOf(stream: Component, part: string, notes: Notes): ResponseExtraction {
  const key = stream.value('primary_key');
  const fields = [key].flat().filter((field) => typeof field === 'string' && field !== '' && !field.includes('{'));
  if (fields.length === 1) return { primaryKey: fields[0] as string };
  if (fields.length > 1)
    return { primaryKey: 'record_key', syntheticPrimaryKey: { fields: fields as string[], outputField: 'record_key' } };
  notes.todo(part, stream.pointer, 'set primaryKey; the file has no primary key for the stream');
  return {};
}

function noteOmissions(
  stream: Component,
  requester: Component | undefined,
  selector: Component | undefined,
  part: string,
  notes: Notes,
): void {
  const omitted: (readonly [Component | undefined, readonly string[]])[] = [
    [stream, ['transformations']],
    [selector, ['record_filter']],
    [requester, OMITTED_OF_REQUESTER],
  ];
  for (const [component, names] of omitted)
    for (const name of names)
      if (component?.names.includes(name)) notes.todo(part, `${component.pointer}/${name}`, `the draft omits ${name}`);
  const method = requester?.text('http_method')?.toUpperCase() ?? 'GET';
  if (method !== 'GET') notes.todo(part, `${requester?.pointer}/http_method`, `set method and requestBody (${method})`);
}
