import { Int } from 'type-graphql';
import { Optional, Required, Shape } from '../kernel/columns.js';
import { JsonObject } from '../kernel/scalars.js';
import { wireEnum } from '../kernel/wire-enum.js';
import { Pagination } from './pagination.js';

export const TapSyncMode = wireEnum('TapSyncMode', 'How a tap is read over time.', {
  full: 'Everything in every run.',
  incremental: 'What changed since the last run.',
  push: 'Nothing is read; the source sends.',
});
export type TapSyncMode = keyof typeof TapSyncMode;

@Shape('How a run asks for what changed in a window of time.')
export class IncrementalParams {
  @Optional('Where the end of the window goes in the request body.')
  bodyFilterEndPath?: string;

  @Optional('Format of the times in the request body.')
  bodyFilterFormat?: string;

  @Optional('Where the start of the window goes in the request body.')
  bodyFilterPath?: string;

  @Optional('Template of the filter in the request body.')
  bodyFilterTemplate?: string;

  @Optional('Days past now that a window reaches by default, for dated records.', () => Int)
  defaultLookaheadDays?: number;

  @Optional('Kind of filter, such as simple.')
  filterType?: string;

  @Optional('Most days past now.', () => Int)
  maxLookaheadDays?: number;

  @Optional('Longest window that one request may ask for, in days.', () => Int)
  maxWindowDays?: number;

  @Optional('Query parameter that takes the filter.')
  queryParam?: string;

  @Optional('Template of the filter in the query.')
  queryTemplate?: string;

  @Optional('Format of the start, such as iso8601 or epoch_seconds.')
  sinceFormat?: string;

  @Optional('Query parameter for the start.')
  sinceParam?: string;

  @Optional('Format of the end.')
  untilFormat?: string;

  @Optional('Query parameter for the end.')
  untilParam?: string;
}

@Shape('A query that the source runs in the background: start, poll, fetch.')
export class AsyncQuery {
  @Optional('JMESPath to the query id in the reply to the start.')
  queryIdPath?: string;

  @Optional('Path of the records, with the query id in braces.')
  recordsEndpoint?: string;

  @Optional('JMESPath to the records.')
  recordsResponsePath?: string;

  @Optional('Path of the status, with the query id in braces.')
  statusEndpoint?: string;

  @Optional('JMESPath to the status.')
  statusPath?: string;

  @Optional('Status of a finished query.')
  successValue?: string;

  @Optional('JMESPath to addresses of result files.')
  externalLinksPath?: string;

  @Optional('Status of a failed query.')
  failureValue?: string;

  @Optional('Further statuses of a failed query.', () => [String])
  failureValues?: string[];

  @Optional('Seconds after which the query is given up.', () => Int)
  maxPollSeconds?: number;

  @Optional('Seconds between two looks at the status.', () => Int)
  pollIntervalSeconds?: number;

  @Optional('Paging of the records.', () => Pagination)
  recordsPagination?: Pagination;

  @Optional('Query parameters of the records request.', () => JsonObject)
  recordsQueryParams?: Record<string, unknown>;
}

@Shape('The reply by which the source rejects a cursor that is too old.')
export class CursorExpiry {
  @Required('HTTP status of the reply.', () => Int)
  statusCode: number;

  @Optional('JMESPath to a code in the reply, where the source uses the status for other errors too.')
  jmesPath?: string;

  @Optional('Codes of an expired cursor.', () => [String])
  values?: string[];
}

@Shape('When and how much of a tap is read.')
export class TapSync {
  @Required('How it is read over time.', () => TapSyncMode)
  mode: TapSyncMode;

  @Optional('Record field that tells what is new.')
  cursorField?: string;

  @Optional('Format of that field, such as iso8601.')
  cursorValueFormat?: string;

  @Optional('Most days back that a first run reads.', () => Int)
  maxLookbackDays?: number;

  @Optional('OAuth scopes that this tap needs.', () => [String])
  scopes?: string[];

  @Optional('How a run asks for what changed.', () => IncrementalParams)
  incrementalParams?: IncrementalParams;

  @Optional('Set where the source rejects old cursors: the run then starts over with a full read.', () => CursorExpiry)
  onCursorExpired?: CursorExpiry;

  @Optional('Set where the source answers in the background.', () => AsyncQuery)
  asyncQuery?: AsyncQuery;
}
