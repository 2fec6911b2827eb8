import type { Pagination } from '../../../src/catalog/model/pagination.js';
import type { OpenApiOperation } from '../../catalog-compare/described-operation.js';
import type { JsonNode, ResolveReference } from '../../catalog-compare/documents.js';
import { branchesOf } from '../../catalog-compare/json-schema.js';
import { normalized, toJmesPath } from '../names.js';
import { isNode } from '../source-file.js';
import { findProperty } from './find-property.js';

const CURSOR_NAMES = [
  ...['startingafter', 'cursor', 'nextcursor', 'pagecursor', 'pagetoken', 'nexttoken', 'nextpagetoken'],
  ...['continuationtoken', 'after', 'pageafter'],
];
const OFFSET_NAMES = ['offset', 'skip', 'pageoffset'];
const PAGE_NAMES = ['page', 'pagenumber', 'pageno', 'pagenum', 'currentpage'];
const SIZE_NAMES = ['perpage', 'pagesize', 'limit', 'pagelimit', 'size', 'take', 'maxresults', 'count'];
const NEXT_NAMES = [
  ...['nextcursor', 'nextpagetoken', 'nexttoken', 'endcursor', 'continuationtoken', 'cursor', 'after', 'next'],
  ...['nextpage', 'nexturl', 'nextlink'],
];
const HAS_MORE_NAMES = ['hasmore', 'hasnextpage', 'hasnext', 'more'];
const TOTAL_PAGES_NAMES = ['totalpages', 'pagecount', 'numpages', 'lastpage'];
const TOTAL_NAMES = ['totalcount', 'total', 'totalresults', 'totalrecords', 'totalitems', 'totalelements'];

const DEFAULT_PAGE_SIZE = 100;
const MAX_PAGE_SIZE = 1000;

export interface Paging {
  readonly pagination: Pagination;
  readonly queryParams: Readonly<Record<string, unknown>>;
  /** Names of the query parameters that the paging settings use. */
  readonly parameters: readonly string[];
  readonly checks: readonly string[];
}

interface PagedOperation extends OpenApiOperation {
  readonly listNames: readonly string[];
}

/** Recognizes the paging by the names of query parameters and response fields. */
export function detectPaging(operation: PagedOperation): Paging {
  const { query, resolve } = operation;
  const usable = [...query].filter(([, schema]) => isNumberOrText(schema, resolve)).map(([name]) => name);
  const find = (names: readonly string[]): string | undefined =>
    usable.toSorted((a, b) => rank(names, a) - rank(names, b)).find((name) => names.includes(normalized(name)));
  const size = find(SIZE_NAMES);
  const pageSize = size === undefined ? undefined : sizeOf(query.get(size), resolve);
  const [cursor, offset, page] = [find(CURSOR_NAMES), find(OFFSET_NAMES), find(PAGE_NAMES)];
  const known = (...names: (string | undefined)[]): string[] => [...names, size].filter((name) => name !== undefined);
  const withSize = size === undefined ? {} : { [size]: pageSize };
  if (hasLinkHeader(operation))
    return {
      pagination: { type: 'link_header' },
      queryParams: withSize,
      parameters: known(cursor, offset, page),
      checks: ['check that the Link header contains the URL of the next page'],
    };
  if (cursor !== undefined) return cursorPaging(operation, cursor, withSize, known(cursor, offset, page));
  if (offset !== undefined) {
    const totalPath = pathOf(operation, TOTAL_NAMES);
    return {
      pagination: {
        type: 'offset',
        offset: {
          offsetParam: offset,
          ...(size !== undefined && { limitParam: size, defaultLimit: pageSize }),
          ...(totalPath && { totalPath }),
        },
      },
      queryParams: {},
      parameters: known(offset, page),
      checks: [`check the offset paging (${offset})`],
    };
  }
  if (page !== undefined) return numberedPaging(operation, page, size, pageSize);
  const check = 'found no paging parameters; check that one response contains all records';
  return { pagination: { type: 'none' }, queryParams: withSize, parameters: known(), checks: [check] };
}

function cursorPaging(
  operation: PagedOperation,
  cursorParam: string,
  queryParams: Paging['queryParams'],
  parameters: readonly string[],
): Paging {
  const hasMorePath = pathOf(operation, HAS_MORE_NAMES);
  const more = hasMorePath ? { hasMorePath } : {};
  const next = findProperty(operation.response, NEXT_NAMES, operation.resolve);
  const settings = { queryParams, parameters };
  if (!next && normalized(cursorParam) === 'startingafter') {
    const cursorPath = `${toJmesPath(operation.listNames)}[-1].id`;
    return {
      pagination: { type: 'cursor', cursor: { cursorPath, cursorParam, ...more } },
      checks: ['check that the id of the last record is the next cursor'],
      ...settings,
    };
  }
  if (!next)
    return {
      pagination: { type: 'cursor', cursor: { cursorPath: 'next_cursor', cursorParam, ...more } },
      checks: [`set cursorPath; the response has no field with the next value of ${cursorParam}`],
      ...settings,
    };
  const cursorPath = toJmesPath(next.names);
  const isLink =
    next.names.some((name) => normalized(name) === 'links') ||
    branchesOf(next.schema, operation.resolve).some(({ format }) => format === 'uri' || format === 'url');
  return {
    pagination: {
      type: 'cursor',
      cursor: { cursorPath, ...(isLink && { cursorLinkParam: cursorParam }), cursorParam, ...more },
    },
    checks: [`check the cursor paging (${cursorPath}, ${cursorParam})`],
    ...settings,
  };
}

function numberedPaging(
  operation: PagedOperation,
  page: string,
  size: string | undefined,
  pageSize: number | undefined,
): Paging {
  const totalPagesPath = pathOf(operation, TOTAL_PAGES_NAMES);
  const totalPath = totalPagesPath ? undefined : pathOf(operation, TOTAL_NAMES);
  const first = numberIn(operation.query.get(page), ['default', 'minimum'], operation.resolve);
  return {
    pagination: {
      type: 'page_number',
      pageNumber: {
        pageParam: page,
        ...(size !== undefined && { pageSizeParam: size, defaultPageSize: pageSize }),
        ...(totalPagesPath && { totalPagesPath }),
        ...(totalPath && { totalPath }),
      },
    },
    queryParams: first === 0 ? { [page]: 0 } : {},
    parameters: [page, ...(size === undefined ? [] : [size])],
    checks: [`check the page numbers (${page})`],
  };
}

function rank(names: readonly string[], name: string): number {
  return names.indexOf(normalized(name));
}

function pathOf({ response, resolve }: PagedOperation, names: readonly string[]): string | undefined {
  const found = findProperty(response, names, resolve);
  return found && toJmesPath(found.names);
}

/** Excludes times, because `after` can be the start of a time range. */
function isNumberOrText(schema: JsonNode, resolve: ResolveReference): boolean {
  return branchesOf(schema, resolve).every(({ type, format }) => {
    const isTime = typeof format === 'string' && format.startsWith('date');
    return !isTime && ![type].flat().some((one) => one === 'object' || one === 'array' || one === 'boolean');
  });
}

function sizeOf(schema: JsonNode | undefined, resolve: ResolveReference): number {
  const maximum = numberIn(schema, ['maximum'], resolve);
  const size = maximum ?? numberIn(schema, ['default'], resolve) ?? DEFAULT_PAGE_SIZE;
  return size >= 1 && size <= MAX_PAGE_SIZE ? Math.trunc(size) : DEFAULT_PAGE_SIZE;
}

function numberIn(
  schema: JsonNode | undefined,
  keywords: readonly string[],
  resolve: ResolveReference,
): number | undefined {
  const branches = branchesOf(schema, resolve);
  return keywords
    .flatMap((keyword) => branches.map((branch) => branch[keyword]))
    .find((value) => typeof value === 'number' && Number.isFinite(value)) as number | undefined;
}

function hasLinkHeader({ definition, resolve }: PagedOperation): boolean {
  const responses = isNode(definition.responses) ? definition.responses : {};
  const { headers } = resolve(responses['200'] as JsonNode) ?? {};
  return Object.keys(isNode(headers) ? headers : {}).some((name) => name.toLowerCase() === 'link');
}
