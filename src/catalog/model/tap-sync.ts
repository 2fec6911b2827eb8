import { Int } from 'type-graphql';
import { OptionalField, PlainObjectType, RequiredField } from '../../kernel/entities/column-decorators.js';
import { JsonObject } from '../../kernel/entities/scalars.js';
import { wireEnum } from '../../kernel/entities/wire-enum.js';
import { Pagination } from './pagination.js';

export const TapSyncMode = wireEnum('TapSyncMode', 'How a tap is read over time.', {
  full: 'Everything in every run.',
  incremental: 'What changed since the last run.',
  push: 'Nothing is read; the source sends.',
});
export type TapSyncMode = keyof typeof TapSyncMode;

@PlainObjectType('How a run asks for what changed in a window of time.')
export class IncrementalParams {
  @OptionalField('Where the end of the window goes in the request body.')
  bodyFilterEndPath?: string;

  @OptionalField('Format of the times in the request body.')
  bodyFilterFormat?: string;

  @OptionalField('Where the start of the window goes in the request body.')
  bodyFilterPath?: string;

  @OptionalField('Template of the filter in the request body.')
  bodyFilterTemplate?: string;

  @OptionalField('Days past now that a window reaches by default, for dated records.', () => Int)
  defaultLookaheadDays?: number;

  @OptionalField('Kind of filter, such as simple.')
  filterType?: string;

  @OptionalField('Most days past now.', () => Int)
  maxLookaheadDays?: number;

  @OptionalField('Longest window that one request may ask for, in days.', () => Int)
  maxWindowDays?: number;

  @OptionalField('Query parameter that takes the filter.')
  queryParam?: string;

  @OptionalField('Template of the filter in the query.')
  queryTemplate?: string;

  @OptionalField('Format of the start, such as iso8601 or epoch_seconds.')
  sinceFormat?: string;

  @OptionalField('Query parameter for the start.')
  sinceParam?: string;

  @OptionalField('Format of the end.')
  untilFormat?: string;

  @OptionalField('Query parameter for the end.')
  untilParam?: string;
}

@PlainObjectType('A query that the source runs in the background: start, poll, fetch.')
export class AsyncQuery {
  @OptionalField('JMESPath to the query id in the reply to the start.')
  queryIdPath?: string;

  @OptionalField('Path of the records, with the query id in braces.')
  recordsEndpoint?: string;

  @OptionalField('JMESPath to the records.')
  recordsResponsePath?: string;

  @OptionalField('Path of the status, with the query id in braces.')
  statusEndpoint?: string;

  @OptionalField('JMESPath to the status.')
  statusPath?: string;

  @OptionalField('Status of a finished query.')
  successValue?: string;

  @OptionalField('JMESPath to addresses of result files.')
  externalLinksPath?: string;

  @OptionalField('Status of a failed query.')
  failureValue?: string;

  @OptionalField('Further statuses of a failed query.', () => [String])
  failureValues?: string[];

  @OptionalField('Seconds after which the query is given up.', () => Int)
  maxPollSeconds?: number;

  @OptionalField('Seconds between two looks at the status.', () => Int)
  pollIntervalSeconds?: number;

  @OptionalField('Paging of the records.', () => Pagination)
  recordsPagination?: Pagination;

  @OptionalField('Query parameters of the records request.', () => JsonObject)
  recordsQueryParams?: Record<string, unknown>;
}

@PlainObjectType('The reply by which the source rejects a cursor that is too old.')
export class CursorExpiry {
  @RequiredField('HTTP status of the reply.', () => Int)
  statusCode: number;

  @OptionalField('JMESPath to a code in the reply, where the source uses the status for other errors too.')
  jmesPath?: string;

  @OptionalField('Codes of an expired cursor.', () => [String])
  values?: string[];
}

@PlainObjectType('When and how much of a tap is read.')
export class TapSync {
  @RequiredField('How it is read over time.', () => TapSyncMode)
  mode: TapSyncMode;

  @OptionalField('Record field that tells what is new.')
  cursorField?: string;

  @OptionalField('Format of that field, such as iso8601.')
  cursorValueFormat?: string;

  @OptionalField('Most days back that a first run reads.', () => Int)
  maxLookbackDays?: number;

  @OptionalField('OAuth scopes that this tap needs.', () => [String])
  scopes?: string[];

  @OptionalField('How a run asks for what changed.', () => IncrementalParams)
  incrementalParams?: IncrementalParams;

  @OptionalField(
    'Set where the source rejects old cursors: the run then starts over with a full read.',
    () => CursorExpiry,
  )
  onCursorExpired?: CursorExpiry;

  @OptionalField('Set where the source answers in the background.', () => AsyncQuery)
  asyncQuery?: AsyncQuery;
}
