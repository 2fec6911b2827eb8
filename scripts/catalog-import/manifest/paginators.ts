import type { Pagination } from '../../../src/catalog/model/pagination.js';
import { toJmesPath } from '../names.js';
import type { Notes } from '../notes.js';
import type { Component } from './component.js';
import { lastRecordField, toResponsePath } from './templates.js';

export interface ManifestPaging {
  readonly pagination: Pagination;
  readonly queryParams: Readonly<Record<string, unknown>>;
}

const NO_PAGES: ManifestPaging = { pagination: { type: 'none' }, queryParams: {} };

/** If the draft cannot express the paginator, adds a note and returns `NO_PAGES`. */
export function readPaginator(
  paginator: Component | undefined,
  recordNames: readonly string[],
  part: string,
  notes: Notes,
): ManifestPaging {
  if (!paginator || paginator.type === 'NoPagination') return NO_PAGES;
  const strategy = paginator.child('pagination_strategy');
  const token = paginator.child('page_token_option');
  const parameter = queryName(token);
  const size = Number(strategy?.value('page_size'));
  const sizeName = queryName(paginator.child('page_size_option'));
  const hasSize = sizeName !== undefined && Number.isInteger(size) && size > 0;
  const queryParams = hasSize ? { [sizeName]: size } : {};
  const first = Number(strategy?.value('start_from_page') ?? 0);
  if (strategy?.type === 'OffsetIncrement' && parameter) {
    const limit = hasSize ? { limitParam: sizeName, defaultLimit: size } : {};
    return { pagination: { type: 'offset', offset: { offsetParam: parameter, ...limit } }, queryParams: {} };
  }
  if (strategy?.type === 'PageIncrement' && parameter) {
    const pages = hasSize ? { pageSizeParam: sizeName, defaultPageSize: size } : {};
    return {
      pagination: { type: 'page_number', pageNumber: { pageParam: parameter, ...pages } },
      queryParams: first === 1 ? {} : { [parameter]: first },
    };
  }
  const pagination = strategy?.type === 'CursorPagination' && cursorOf(strategy, token, parameter, recordNames);
  if (pagination) return { pagination, queryParams };
  notes.todo(part, paginator.pointer, 'set pagination; the command cannot convert this paginator');
  return { ...NO_PAGES, queryParams };
}

function cursorOf(
  strategy: Component,
  token: Component | undefined,
  cursorParam: string | undefined,
  recordNames: readonly string[],
): Pagination | undefined {
  const value = strategy.text('cursor_value') ?? '';
  if (/^\s*\{\{\s*headers\b.*link.*next/i.test(value)) return { type: 'link_header' };
  const field = lastRecordField(value);
  const cursorPath = field ? `${toJmesPath(recordNames)}[-1].${toJmesPath([field])}` : toResponsePath(value);
  if (!cursorPath) return undefined;
  if (token?.type === 'RequestPath') return { type: 'cursor', cursor: { cursorPath, cursorIsFullUrl: true } };
  return cursorParam ? { type: 'cursor', cursor: { cursorPath, cursorParam } } : undefined;
}

function queryName(option: Component | undefined): string | undefined {
  return option?.text('inject_into') === 'request_parameter' ? option.text('field_name') : undefined;
}
