import { Int } from 'type-graphql';
import { Optional, Required, Shape } from '../kernel/columns.js';
import { wireEnum } from '../kernel/wire-enum.js';

export const PaginationType = wireEnum('PaginationType', 'How the source hands out a long list.', {
  none: 'All at once.',
  link_header: 'The next address in the `Link` header (RFC 8288).',
  cursor: 'A cursor or next address in the reply.',
  offset: 'A number of records to skip.',
  page_number: 'A page number.',
  session_page: 'Pages of a result that the source keeps under a session id.',
});
export type PaginationType = keyof typeof PaginationType;

@Shape('Paging by cursor.')
export class CursorPagination {
  @Optional('JMESPath to the next cursor in the reply.')
  cursorPath?: string;

  @Optional('Where the cursor goes in the body of the next request.')
  cursorBodyPath?: string;

  @Optional('Whether the cursor is the whole address of the next page.')
  cursorIsFullUrl?: boolean;

  @Optional('Query parameter to cut the cursor out of, where `cursorPath` leads to the address of the next page.')
  cursorLinkParam?: string;

  @Optional('Query parameter or variable that takes the cursor.')
  cursorParam?: string;

  @Optional('JMESPath to a boolean that says whether there is more.')
  hasMorePath?: string;

  @Optional('JMESPath to the cursor of a nested list.')
  nextCursorPath?: string;

  @Optional('JMESPath to the records of a follow-up reply, where they stand elsewhere than in the first.')
  nextDataPath?: string;

  @Optional('GraphQL query for the pages after the first.')
  nextQuery?: string;
}

@Shape('Paging by offset.')
export class OffsetPagination {
  @Optional('Records a page.', () => Int)
  defaultLimit?: number;

  @Optional('Query parameter for the page size.')
  limitParam?: string;

  @Optional('Most records a page that the source gives.', () => Int)
  maxLimit?: number;

  @Optional('JMESPath to the address of the next page.')
  nextPageLinkPath?: string;

  @Optional('Query parameter for the offset.')
  offsetParam?: string;

  @Optional('JMESPath to the number of records in all.')
  totalPath?: string;
}

@Shape('Paging by page number.')
export class PageNumberPagination {
  @Optional('Records a page.', () => Int)
  defaultPageSize?: number;

  @Optional('Parameter for the page number.')
  pageParam?: string;

  @Optional('Parameter for the page size.')
  pageSizeParam?: string;

  @Optional('Where the parameters go: query or body.')
  paramLocation?: string;

  @Optional('JMESPath to the number of pages.')
  totalPagesPath?: string;
}

@Shape('Paging through a result that the source keeps for a session.')
export class SessionPagePagination {
  @Optional('Records a page.', () => Int)
  defaultPageSize?: number;

  @Optional('Query parameter for the page.')
  pageParam?: string;

  @Optional('Path of the pages, with the session id in braces.')
  pagePath?: string;

  @Optional('Parameter for the session id.')
  sessionIdParam?: string;

  @Optional('JMESPath to the session id in the first reply.')
  sessionIdPath?: string;
}

@Shape('How to read past the most records that the source returns for one query.')
export class PaginationRestart {
  @Required('Number of records after which the query starts over behind the last one.', () => Int)
  afterRecords: number;

  @Required('Record field that the query sorts by, ascending and without duplicates.')
  keyField: string;

  @Required('Where the key of the last record goes in the request body.')
  bodyPath: string;
}

@Shape('How pages are fetched: a type, and the settings of that type.')
export class Pagination {
  @Required('Which of the ways.', () => PaginationType)
  type: PaginationType;

  @Optional('Set where the source limits the records of one query.', () => PaginationRestart)
  restart?: PaginationRestart;

  @Optional('Settings for type `cursor`.', () => CursorPagination)
  cursor?: CursorPagination;

  @Optional('Settings for type `offset`.', () => OffsetPagination)
  offset?: OffsetPagination;

  @Optional('Settings for type `page_number`.', () => PageNumberPagination)
  pageNumber?: PageNumberPagination;

  @Optional('Settings for type `session_page`.', () => SessionPagePagination)
  sessionPage?: SessionPagePagination;
}
