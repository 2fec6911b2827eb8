import type { Pagination } from '../../catalog/model/pagination.js';
import { valueAtPath } from '../../kernel/formats/json-path.js';
import type { PageToken } from '../page-token.js';
import { type RequestDraft, withBodyValue, withParameter } from './request-draft.js';
import { typedLike } from './window-parameters.js';

/** Adds the page size and the position of the page. */
export function withPage(draft: RequestDraft, pagination: Pagination | undefined, token: PageToken = {}): RequestDraft {
  if (!pagination) return draft;
  const { type, restart } = pagination;
  const placed = PLACE[type]?.(draft, pagination, token) ?? draft;
  if (!restart || token.restartAfter === undefined) return placed;
  const { bodyPath } = restart;
  return withBodyValue(placed, bodyPath, typedLike(valueAtPath(draft.body, bodyPath), token.restartAfter));
}

type Place = (draft: RequestDraft, pagination: Pagination, token: PageToken) => RequestDraft;

const PLACE: Partial<Record<Pagination['type'], Place>> = {
  cursor: placeCursor,
  offset: placeOffset,
  page_number: placePageNumber,
};

function placeCursor(draft: RequestDraft, { cursor = {} }: Pagination, token: PageToken): RequestDraft {
  if (token.cursor === undefined) return draft;
  const { cursorParam, cursorBodyPath, cursorReplaces = [], nextQuery } = cursor;
  const kept = Object.entries(draft.query).filter(([name]) => !cursorReplaces.includes(name));
  const next = { ...draft, query: Object.fromEntries(kept) };
  if (draft.isGraphql && nextQuery) next.body = { ...(draft.body as object), query: nextQuery };
  if (cursorBodyPath) return withBodyValue(next, cursorBodyPath, token.cursor);
  return cursorParam ? withParameter(next, cursorParam, token.cursor) : next;
}

function placeOffset(draft: RequestDraft, { offset = {} }: Pagination, token: PageToken): RequestDraft {
  const { limitParam, offsetParam } = offset;
  const limit = Math.min(offset.defaultLimit ?? Infinity, offset.maxLimit ?? Infinity);
  const hasLimit = limitParam && limit < Infinity && draft.query[limitParam] === undefined;
  const sized = hasLimit ? withParameter(draft, limitParam, limit) : draft;
  return offsetParam && token.offset !== undefined ? withParameter(sized, offsetParam, token.offset) : sized;
}

function placePageNumber(draft: RequestDraft, { pageNumber = {} }: Pagination, token: PageToken): RequestDraft {
  const { pageParam, pageSizeParam, defaultPageSize, paramLocation } = pageNumber;
  const isBody = paramLocation === 'body';
  const place = (built: RequestDraft, name: string | undefined, value: number | undefined) => {
    if (!name || value === undefined) return built;
    return isBody ? withBodyValue(built, name, value) : withParameter(built, name, value);
  };
  const hasSize = pageSizeParam !== undefined && parameterOf(draft, pageSizeParam, isBody) !== undefined;
  return place(hasSize ? draft : place(draft, pageSizeParam, defaultPageSize), pageParam, token.page);
}

function parameterOf({ query, body }: RequestDraft, name: string, isBody: boolean): unknown {
  return isBody ? valueAtPath(body, name) : query[name];
}
