import { createServer } from 'node:http';
import { aConnector, aGrouping, aStrategy, aTap, aVendor, yamlOf } from '../catalog/definition-builders.js';
import { close, listen } from '../servers/loopback.js';
import { VENDOR_SLUG } from '../vendors/fake-vendor-definitions.js';

export interface VendorScale {
  readonly groups: number;
  readonly itemsPerGroup: number;
  readonly changesPerGroup: number;
  readonly requestsPerSecond: number;
}

export interface ServedPage {
  /** Identifies the slice of the page. */
  readonly slice: string;
  readonly page: number;
  readonly at: number;
}

export const PAGE_SIZE = 100;
const DAY_MS = 86_400_000;
/** Period of the changes. It ends a day before the test creates the vendor. */
const SPAN_MS = 29 * DAY_MS;

/**
 * A vendor with computed records: a list of groups, and two lists per group. `changes` is an event log, and syncs
 * always read `items` in full.
 */
export class PagedVendor {
  readonly served: ServedPage[] = [];
  /** Number of changes that the vendor returns per group. */
  visibleChanges: number;
  readonly #firstChangeAt = Date.now() - SPAN_MS - DAY_MS;
  readonly #server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://vendor');
    const body = this.#reply(url.pathname.split('/').slice(1), url.searchParams);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });

  constructor(readonly scale: VendorScale) {
    this.visibleChanges = scale.changesPerGroup;
  }

  /** Returns the definition of the vendor as YAML. */
  async start(): Promise<string> {
    return definitionOf(await listen(this.#server), this.scale);
  }

  stop(): Promise<void> {
    return close(this.#server);
  }

  /** Returns the time of the `nth` change of each group, in milliseconds since 1970. */
  changedAt(nth: number): number {
    return this.#firstChangeAt + Math.floor((nth * SPAN_MS) / this.scale.changesPerGroup);
  }

  #reply([, group = '', list = '']: string[], query: URLSearchParams): object {
    const { groups, itemsPerGroup } = this.scale;
    if (list === 'items') return this.#page(group, list, '', Number(query.get('page') ?? 1), itemsPerGroup);
    if (list !== 'changes') return { data: Array.from({ length: groups }, (_, id) => ({ id, name: `group ${id}` })) };
    const [since, until] = [Number(query.get('since') ?? 0), Number(query.get('until'))];
    const first = this.#firstAfter(since);
    const end = Math.min(this.visibleChanges, this.#firstAfter(until + 1));
    return this.#page(group, list, `${since}`, Number(query.get('cursor') ?? 1), Math.max(0, end - first), first);
  }

  #firstAfter(time: number): number {
    let low = 0;
    for (let high = this.scale.changesPerGroup; low < high; ) {
      const middle = (low + high) >> 1;
      if (this.changedAt(middle) < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #page(group: string, list: string, since: string, page: number, total: number, first = 0): object {
    this.served.push({ slice: `${list} ${group} ${since}`, page, at: performance.now() });
    const from = (page - 1) * PAGE_SIZE;
    const data = Array.from({ length: Math.max(0, Math.min(PAGE_SIZE, total - from)) }, (_, at) => {
      const nth = first + from + at;
      const id = Number(group) * 1_000_000 + nth;
      return { id, text: `${list} ${id}`, changed_at: this.changedAt(nth) };
    });
    const pages = Math.ceil(total / PAGE_SIZE);
    return { data, pages, ...(page < pages && { next: `${page + 1}` }) };
  }
}

function definitionOf(origin: string, { requestsPerSecond }: VendorScale): string {
  const schema = {
    type: 'object',
    properties: { id: { type: 'integer' }, text: { type: 'string' }, changed_at: { type: 'integer' } },
  };
  const responseExtraction = { primaryKey: 'id', responsePath: 'data' };
  const connector = aConnector({
    ...{ defaultBaseUrl: origin, supportedAuthStrategies: [aStrategy()] },
    rateLimits: { requestsPerSecond },
    traversal: {
      rootTaps: ['groups'],
      edges: ['items', 'changes'].map((to) => ({
        ...{ from: 'groups', to, parentKeyField: 'id', templateVariable: 'groupId' },
      })),
    },
    taps: [
      aTap({
        ...{ name: 'groups', responseExtraction },
        schema: { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } },
        transportOptions: [{ apiType: 'rest', restConfig: { endpoint: '/groups' } }],
      }),
      aTap({
        ...{ name: 'items', responseExtraction, schema },
        transportOptions: [
          {
            ...{ apiType: 'rest', restConfig: { endpoint: '/groups/{groupId}/items' } },
            pagination: { type: 'page_number', pageNumber: { pageParam: 'page', totalPagesPath: 'pages' } },
          },
        ],
      }),
      aTap({
        ...{ name: 'changes', responseExtraction, schema },
        sync: {
          ...{ mode: 'incremental', cursorField: 'changed_at', cursorValueFormat: 'epoch_millis', maxLookbackDays: 40 },
          incrementalParams: {
            ...{ sinceParam: 'since', untilParam: 'until', sinceFormat: 'epoch_millis', maxWindowDays: 15 },
          },
        },
        transportOptions: [
          {
            ...{ apiType: 'rest', restConfig: { endpoint: '/groups/{groupId}/changes' } },
            pagination: { type: 'cursor', cursor: { cursorPath: 'next', cursorParam: 'cursor' } },
          },
        ],
      }),
    ],
  });
  return yamlOf(aVendor({ slug: VENDOR_SLUG, connectors: [connector], groupings: [aGrouping()] }));
}
