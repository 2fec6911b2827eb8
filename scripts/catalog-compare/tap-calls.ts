import type { ConnectorDefinition, TapDefinition } from '../../src/catalog/definitions/definition.js';
import type { Pagination } from '../../src/catalog/model/pagination.js';
import type { RestConfig, TransportOption } from '../../src/catalog/model/transport-option.js';
import type { JsonNode } from './documents.js';

/** The parts of a tap's request that an API description can contain. */
export interface TapCall {
  readonly method: string;
  readonly path: string;
  readonly severalSegments: JsonNode;
  /** Values of query parameters. Undefined for values that the service computes during a sync. */
  readonly query: ReadonlyMap<string, unknown>;
  readonly bodyFields: readonly string[];
  readonly hasRecords: boolean;
}

export function tapCallsOf(tap: TapDefinition): TapCall[] {
  return tap.transportOptions.flatMap((option) => {
    if (!option.restConfig?.endpoint) return [];
    const { asyncQuery } = tap.sync;
    const first = tapCall(tap, option, option.restConfig, !asyncQuery);
    const later = [asyncQuery?.statusEndpoint, asyncQuery?.recordsEndpoint].filter((path) => typeof path === 'string');
    return [first, ...later.map((path) => getCall(path)), ...pageCalls(option)];
  });
}

export function verificationCalls({ supportedAuthStrategies }: ConnectorDefinition): TapCall[] {
  return supportedAuthStrategies.flatMap(({ verification }) => {
    const { url, method = 'GET' } = verification ?? {};
    return url?.startsWith('/') ? [{ ...getCall(url), method: method ?? 'GET' }] : [];
  });
}

function getCall(address: string): TapCall {
  const [path = '', search = ''] = address.split('?');
  const query = new Map<string, unknown>(new URLSearchParams(search));
  return { method: 'GET', path, severalSegments: {}, query, bodyFields: [], hasRecords: false };
}

function tapCall(tap: TapDefinition, option: TransportOption, config: RestConfig, hasRecords: boolean): TapCall {
  const { incrementalParams: since } = tap.sync;
  const { pathParamEncodings = {}, parentDataFilterQueryInject, queryParams = {}, requestBody = {} } = config;
  const call = getCall(config.endpoint ?? '');
  const names = [since?.sinceParam, since?.untilParam, since?.queryParam, parentDataFilterQueryInject?.queryParam];
  const paged = pagingParameters(option.pagination);
  const inBody = option.pagination?.pageNumber?.paramLocation === 'body';
  const bodyPaths = [
    ...Object.keys(requestBody),
    ...(inBody ? paged : []),
    option.pagination?.cursor?.cursorBodyPath,
    since?.bodyFilterPath,
    since?.bodyFilterEndPath,
  ];
  return {
    ...call,
    method: config.method ?? 'GET',
    severalSegments: pathParamEncodings,
    query: new Map([
      ...call.query,
      ...[...names, ...(inBody ? [] : paged)].flatMap((name) => (name ? [[name, undefined] as const] : [])),
      ...Object.entries(queryParams),
    ]),
    bodyFields: [...new Set(bodyPaths.flatMap((path) => path?.split(/[.[]/)[0] ?? []))],
    hasRecords,
  };
}

function pagingParameters({ cursor, offset, pageNumber }: Partial<Pagination> = {}): string[] {
  return [
    cursor?.cursorParam,
    offset?.offsetParam,
    offset?.limitParam,
    pageNumber?.pageParam,
    pageNumber?.pageSizeParam,
  ].filter((name) => typeof name === 'string');
}

/** Returns the call for pages after the first, if these pages have another path. */
function pageCalls({ pagination }: TransportOption): TapCall[] {
  const { pagePath, pageParam } = pagination?.sessionPage ?? {};
  if (!pagePath) return [];
  const call = getCall(pagePath);
  return [{ ...call, query: new Map([...call.query, ...(pageParam ? [[pageParam, undefined] as const] : [])]) }];
}
