import type { Pagination } from '../../catalog/model/pagination.js';
import { valueAtPath } from '../../kernel/formats/json-path.js';
import type { PageToken } from '../page-token.js';
import { type RequestDraft, withBodyValue, withParameter } from './request-draft.js';
import { typedLike } from './window-parameters.js';

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
  const { cursorParam, cursorBodyPath, cursorIsObject, cursorReplaces = [], nextQuery } = cursor;
  const kept = Object.entries(draft.query).filter(([name]) => !cursorReplaces.includes(name));
  const next = { ...draft, query: Object.fromEntries(kept) };
  if (draft.isGraphql && nextQuery) next.body = { ...(draft.body as object), query: nextQuery };
  if (cursorBodyPath) return withBodyValue(next, cursorBodyPath, token.cursor);
  if (cursorIsObject)
    return Object.entries(token.cursor as object).reduce(
      (built, [name, value]) => withParameter(built, name, value),
      next,
    );
  return cursorParam ? withParameter(next, cursorParam, token.cursor) : next;
}

function placeOffset(draft: RequestDraft, { offset = {} }: Pagination, token: PageToken): RequestDraft {
  const { limitParam, offsetParam, paramLocation } = offset;
  const limit = Math.min(offset.defaultLimit ?? Infinity, offset.maxLimit ?? Infinity);
  const placed = [
    { name: limitParam, value: limit < Infinity ? limit : undefined, isDefault: true },
    { name: offsetParam, value: token.offset },
  ];
  return placeAll(draft, placed, paramLocation);
}

function placePageNumber(draft: RequestDraft, { pageNumber = {} }: Pagination, token: PageToken): RequestDraft {
  const { pageParam, pageSizeParam, defaultPageSize, paramLocation } = pageNumber;
  const placed = [
    { name: pageSizeParam, value: defaultPageSize, isDefault: true },
    { name: pageParam, value: token.page },
  ];
  return placeAll(draft, placed, paramLocation);
}

interface PlacedParameter {
  readonly name: string | undefined;
  readonly value: number | undefined;
  /** Whether a value in the definition overrides this value. */
  readonly isDefault?: boolean;
}

function placeAll(
  draft: RequestDraft,
  parameters: readonly PlacedParameter[],
  paramLocation: string | undefined,
): RequestDraft {
  const isBody = paramLocation === 'body';
  return parameters.reduce((built, { name, value, isDefault }) => {
    if (!name || value === undefined || (isDefault && parameterOf(built, name, isBody) !== undefined)) return built;
    return isBody ? withBodyValue(built, name, value) : withParameter(built, name, value);
  }, draft);
}

function parameterOf({ query, body }: RequestDraft, name: string, isBody: boolean): unknown {
  return isBody ? valueAtPath(body, name) : query[name];
}
