import type { ConnectorTap } from '../../catalog/model/connector-tap.js';
import { tapForObject } from '../../catalog/model/object-tap.js';
import type { TraversalEdge } from '../../catalog/model/traversal.js';
import type { Lean } from '../../kernel/reading/reader.js';
import { SchemaEvolution, schemaOfTap } from '../../tables/records/record-schema.js';
import { splitRecordFields } from '../../tables/records/split-record-fields.js';
import type { TableField } from '../../tables/table-schema.js';
import type { PageToken } from '../page-token.js';
import { buildTapRequest } from '../requests/build-tap-request.js';
import { childScope } from '../responses/child-scope.js';
import { isEligible } from '../responses/is-eligible.js';
import { TapReadError } from '../tap-read-error.js';
import type { SliceScope, TapReading } from '../tap-reading.js';
import { fanOut } from './fan-out.js';
import { combineScopes, groupEdges } from './group-edges.js';
import { ParentGroups } from './group-parents.js';
import { prepareTap } from './prepare-tap.js';
import { firstList } from './read-field-lists.js';
import { readPages } from './read-pages.js';
import { redactUrl } from './redact-url.js';
import { unsignedUrlOf } from './request-trace.js';
import type { TapSource } from './tap-source.js';

const MAX_RECORDS = 1_000;

export interface TapTrial {
  readonly tap: string;
  /** The first 1,000 records of the first page, each as a line of JSON. */
  readonly records: readonly string[];
  /** Number of records on the first page. */
  readonly recordCount: number;
  /** Columns that a table of these records would have. */
  readonly columns: readonly TableField[];
  /** Method and URL of the request for the next page. Undefined if there is no next page. */
  readonly nextRequest: string | undefined;
}

/**
 * For a tap with parents, uses records from the first pages of the parents. Throws `TapReadError` and
 * `ConnectionConfigError`.
 */
export async function tryTap(
  source: TapSource,
  tapName: string,
  signal: AbortSignal,
  objectName?: string,
): Promise<TapTrial> {
  const { connector, taps } = source.call.connection;
  const tap = taps.find(({ name }) => name === tapName);
  if (!tap) throw new TapReadError('configuration', 'fail_tap', `The connector has no tap "${tapName}".`);
  const prepared = await prepareTap(source, tapForObject(tap, objectName), signal);
  const edges = connector.traversal?.edges?.filter(({ to }) => to === tapName) ?? [];
  const parents: SliceScope[][] = [];
  for (const [edge] of groupEdges(edges)) {
    if (!edge) continue;
    const groups = ParentGroups.of(tap.transportOptions, edge);
    const scopes = await scopesOfParents(source, groups?.keyedBy(edge) ?? edge, tap, signal);
    parents.push((groups ? [...groups.add(scopes), ...groups.end()] : scopes).slice(0, 1));
  }
  const [parent] = combineScopes(parents);
  const [scope] = parent ? fanOut(connector.traversal, prepared, parent) : [];
  if (!scope)
    throw new TapReadError(
      'configuration',
      'skip_tap',
      `No record on the first page of the parent tap is suitable as a parent of "${tapName}".`,
    );
  return firstPage(source, { ...prepared, ...scope }, signal);
}

async function firstPage(source: TapSource, reading: TapReading, signal: AbortSignal): Promise<TapTrial> {
  const evolution = new SchemaEvolution(schemaOfTap(reading.tap.schema));
  const records: string[] = [];
  let recordCount = 0;
  for await (const page of readPages(source, reading, undefined, signal)) {
    for (const { record } of page.records) evolution.observe(splitRecordFields(JSON.stringify(record)));
    recordCount += page.records.length;
    records.push(...page.records.slice(0, MAX_RECORDS - records.length).map(({ record }) => JSON.stringify(record)));
    const { next } = page;
    // While an asynchronous query runs, `readPages` yields pages with a position and without records.
    const position = next && firstList(reading, next)[1];
    if (page.isPartial || (position?.query && recordCount === 0)) continue;
    return {
      ...{ tap: reading.tap.name, records, recordCount, columns: evolution.result().fields },
      nextRequest: next && (await describeRequest(source, reading, next)),
    };
  }
  throw new TapReadError('internal', 'fail_tap', 'The read of the tap ended before the first page.');
}

async function scopesOfParents(
  source: TapSource,
  edge: TraversalEdge,
  tap: Lean<ConnectorTap>,
  signal: AbortSignal,
): Promise<SliceScope[]> {
  const { records } = await tryTap(source, edge.from, signal);
  const parents = records.map((line) => JSON.parse(line) as Record<string, unknown>);
  return parents
    .filter((parent) => isEligible(parent, edge.parentEligibility ?? []))
    .flatMap((parent) => childScope(edge, parent, tap.parentContextFields) ?? []);
}

async function describeRequest({ call }: TapSource, reading: TapReading, next: PageToken): Promise<string> {
  const request = buildTapRequest(...firstList(reading, next));
  const { session } = (await call.sessions.read()) ?? {};
  const url = unsignedUrlOf(call.connection, request, session)?.href ?? request.path;
  return `${request.method ?? 'GET'} ${redactUrl(url, call.connection, session)}`;
}
