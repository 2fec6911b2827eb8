import { Int } from 'type-graphql';
import { OptionalField, PlainObjectType, RequiredField } from '../../kernel/entities/column-decorators.js';
import { wireEnum } from '../../kernel/entities/wire-enum.js';

export const PaginationType = wireEnum('PaginationType', 'Pagination style of a source.', {
  none: 'No pagination.',
  link_header: 'URL of the next page in the `Link` header (RFC 8288).',
  cursor: 'Cursor or next-page URL in the response.',
  offset: 'Number of records to skip.',
  page_number: 'Page number.',
  session_page: 'Pages of a result that the source stores under a session id.',
});
export type PaginationType = keyof typeof PaginationType;

export const LastPage = wireEnum(
  'LastPage',
  'How the service recognizes the last page, for sources that do not return the total number of records or pages.',
  {
    short_page: 'A page with fewer records than requested.',
    empty_page: 'A page without records.',
  },
);
export type LastPage = keyof typeof LastPage;

@PlainObjectType('Cursor pagination.')
export class CursorPagination {
  @OptionalField('JMESPath to the next cursor in the response.')
  cursorPath?: string;

  @OptionalField('Path of the cursor in the body of the next request.')
  cursorBodyPath?: string;

  @OptionalField('Response header with the next cursor. Replaces `cursorPath`.')
  cursorHeader?: string;

  @OptionalField(
    'Whether the body of the next request contains the value of `cursorHeader` as a JSON number instead of a string.',
  )
  cursorIsNumber?: boolean;

  @OptionalField('Whether the cursor is an object. Each member of the object becomes a parameter of the next request.')
  cursorIsObject?: boolean;

  @OptionalField('Whether the cursor is the full URL of the next page.')
  cursorIsFullUrl?: boolean;

  @OptionalField(
    'Query parameter that contains the cursor in the URL of the next page. Applies if `cursorPath` or `cursorHeader` gives this URL.',
  )
  cursorLinkParam?: string;

  @OptionalField('Query parameter or variable that receives the cursor.')
  cursorParam?: string;

  @OptionalField('Names of the query parameters that the service omits from requests with a cursor.', () => [String])
  cursorReplaces?: string[];

  @OptionalField('JMESPath to a boolean that is true if there are more pages.')
  hasMorePath?: string;

  @OptionalField('JMESPath to the cursor on the pages after the first. Defaults to `cursorPath`.')
  nextCursorPath?: string;

  @OptionalField('JMESPath to the records on the pages after the first. Defaults to `responsePath`.')
  nextDataPath?: string;

  @OptionalField('GraphQL query for the pages after the first.')
  nextQuery?: string;
}

@PlainObjectType('Offset pagination.')
export class OffsetPagination {
  @OptionalField('Number of records to request per page.', () => Int)
  defaultLimit?: number;

  @OptionalField('JMESPath to a boolean that is true if there are more pages.')
  hasMorePath?: string;

  @OptionalField('Parameter that receives the page size.')
  limitParam?: string;

  @OptionalField('Maximum number of records per page that the source allows.', () => Int)
  maxLimit?: number;

  @OptionalField('JMESPath that reads the URL of the next page from the response.')
  nextPageLinkPath?: string;

  @OptionalField('Parameter that receives the offset.')
  offsetParam?: string;

  @OptionalField('Location of the parameters: `query` (default) or `body`.')
  paramLocation?: string;

  @OptionalField('Response header with the total number of records, such as `X-Total-Count`.')
  totalHeader?: string;

  @OptionalField('JMESPath that reads the total number of records from the response.')
  totalPath?: string;
}

@PlainObjectType('Pagination by page number.')
export class PageNumberPagination {
  @OptionalField('Number of records to request per page.', () => Int)
  defaultPageSize?: number;

  @OptionalField('JMESPath to a boolean that is true if there are more pages.')
  hasMorePath?: string;

  @OptionalField('Parameter that receives the page number.')
  pageParam?: string;

  @OptionalField('Parameter that receives the page size.')
  pageSizeParam?: string;

  @OptionalField('Location of the parameters: `query` (default) or `body`.')
  paramLocation?: string;

  @OptionalField('Response header with the total number of records, such as `X-Total-Count`.')
  totalHeader?: string;

  @OptionalField('Response header with the total number of pages.')
  totalPagesHeader?: string;

  @OptionalField('JMESPath that reads the total number of pages from the response.')
  totalPagesPath?: string;

  @OptionalField('JMESPath that reads the total number of records from the response.')
  totalPath?: string;
}

@PlainObjectType('Pagination of a result that the source stores under a session id.')
export class SessionPagePagination {
  @OptionalField('Number of records to request per page.', () => Int)
  defaultPageSize?: number;

  @OptionalField('Query parameter that receives the page number.')
  pageParam?: string;

  @OptionalField('Path of the pages. May contain `sessionIdParam` as a variable in braces.')
  pagePath?: string;

  @OptionalField('Query parameter, or variable of `pagePath`, that receives the session id.')
  sessionIdParam?: string;

  @OptionalField('JMESPath to the session id in the first response.')
  sessionIdPath?: string;

  @OptionalField(
    'JMESPath that reads the total number of pages from the first response. This response contains the first page.',
  )
  totalPagesPath?: string;
}

@PlainObjectType(
  'For sources that limit the records of one query: the service sends a further query, which starts after the last record of the previous query.',
)
export class PaginationRestart {
  @RequiredField(
    'Maximum number of records of one query. If the next page could raise the count above this number, the service starts a new query.',
    () => Int,
  )
  afterRecords: number;

  @RequiredField('Record field by which the query sorts, in ascending order. Each value must be unique.')
  keyField: string;

  @RequiredField('Path in the request body that receives the value of `keyField` in the last record.')
  bodyPath: string;
}

@PlainObjectType('Pagination style and its settings.')
export class Pagination {
  @RequiredField('Pagination style.', () => PaginationType)
  type: PaginationType;

  @OptionalField('HTTP statuses that the source returns for a page after the last one.', () => [Int])
  endStatuses?: number[];

  @OptionalField(
    'How the service recognizes the last page. If `hasMorePath` is set, the value at this path decides. Otherwise, with cursors, the last page has no next cursor. With offsets or page numbers, the total number of records or pages decides. If the source returns no total, `lastPage` decides, and defaults to `short_page`. With `empty_page`, a page without records is always the last page.',
    () => LastPage,
  )
  lastPage?: LastPage;

  @OptionalField(
    'Maximum number of records that the source returns for one query. If a time window has at least this number of records, the service divides the window into halves. Requires an incremental tap.',
    () => Int,
  )
  maxRecords?: number;

  @OptionalField(
    'How the service starts a new query, if the source limits the number of records of one query.',
    () => PaginationRestart,
  )
  restart?: PaginationRestart;

  @OptionalField('Settings for type `cursor`.', () => CursorPagination)
  cursor?: CursorPagination;

  @OptionalField('Settings for type `offset`.', () => OffsetPagination)
  offset?: OffsetPagination;

  @OptionalField('Settings for type `page_number`.', () => PageNumberPagination)
  pageNumber?: PageNumberPagination;

  @OptionalField('Settings for type `session_page`.', () => SessionPagePagination)
  sessionPage?: SessionPagePagination;
}
