import { Int } from 'type-graphql';
import { OptionalField, PlainObjectType, RequiredField } from '../../kernel/entities/column-decorators.js';
import { wireEnum } from '../../kernel/entities/wire-enum.js';

export const PaginationType = wireEnum('PaginationType', 'How the source hands out a long list.', {
  none: 'All at once.',
  link_header: 'The next address in the `Link` header (RFC 8288).',
  cursor: 'A cursor or next address in the reply.',
  offset: 'A number of records to skip.',
  page_number: 'A page number.',
  session_page: 'Pages of a result that the source keeps under a session id.',
});
export type PaginationType = keyof typeof PaginationType;

@PlainObjectType('Paging by cursor.')
export class CursorPagination {
  @OptionalField('JMESPath to the next cursor in the reply.')
  cursorPath?: string;

  @OptionalField('Where the cursor goes in the body of the next request.')
  cursorBodyPath?: string;

  @OptionalField('Whether the cursor is the whole address of the next page.')
  cursorIsFullUrl?: boolean;

  @OptionalField('Query parameter to cut the cursor out of, where `cursorPath` leads to the address of the next page.')
  cursorLinkParam?: string;

  @OptionalField('Query parameter or variable that takes the cursor.')
  cursorParam?: string;

  @OptionalField('JMESPath to a boolean that says whether there is more.')
  hasMorePath?: string;

  @OptionalField('JMESPath to the cursor of a nested list.')
  nextCursorPath?: string;

  @OptionalField('JMESPath to the records of a follow-up reply, where they stand elsewhere than in the first.')
  nextDataPath?: string;

  @OptionalField('GraphQL query for the pages after the first.')
  nextQuery?: string;
}

@PlainObjectType('Paging by offset.')
export class OffsetPagination {
  @OptionalField('Records a page.', () => Int)
  defaultLimit?: number;

  @OptionalField('Query parameter for the page size.')
  limitParam?: string;

  @OptionalField('Most records a page that the source gives.', () => Int)
  maxLimit?: number;

  @OptionalField('JMESPath to the address of the next page.')
  nextPageLinkPath?: string;

  @OptionalField('Query parameter for the offset.')
  offsetParam?: string;

  @OptionalField('JMESPath to the number of records in all.')
  totalPath?: string;
}

@PlainObjectType('Paging by page number.')
export class PageNumberPagination {
  @OptionalField('Records a page.', () => Int)
  defaultPageSize?: number;

  @OptionalField('Parameter for the page number.')
  pageParam?: string;

  @OptionalField('Parameter for the page size.')
  pageSizeParam?: string;

  @OptionalField('Where the parameters go: query or body.')
  paramLocation?: string;

  @OptionalField('JMESPath to the number of pages.')
  totalPagesPath?: string;
}

@PlainObjectType('Paging through a result that the source keeps for a session.')
export class SessionPagePagination {
  @OptionalField('Records a page.', () => Int)
  defaultPageSize?: number;

  @OptionalField('Query parameter for the page.')
  pageParam?: string;

  @OptionalField('Path of the pages, with the session id in braces.')
  pagePath?: string;

  @OptionalField('Parameter for the session id.')
  sessionIdParam?: string;

  @OptionalField('JMESPath to the session id in the first reply.')
  sessionIdPath?: string;
}

@PlainObjectType('How to read past the most records that the source returns for one query.')
export class PaginationRestart {
  @RequiredField('Number of records after which the query starts over behind the last one.', () => Int)
  afterRecords: number;

  @RequiredField('Record field that the query sorts by, ascending and without duplicates.')
  keyField: string;

  @RequiredField('Where the key of the last record goes in the request body.')
  bodyPath: string;
}

@PlainObjectType('How pages are fetched: a type, and the settings of that type.')
export class Pagination {
  @RequiredField('Which of the ways.', () => PaginationType)
  type: PaginationType;

  @OptionalField('Set where the source limits the records of one query.', () => PaginationRestart)
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
