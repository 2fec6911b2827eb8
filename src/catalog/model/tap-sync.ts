import { Int } from 'type-graphql';
import { OptionalField, PlainObjectType, RequiredField } from '../../kernel/entities/column-decorators.js';
import { JsonObject } from '../../kernel/entities/scalars.js';
import { wireEnum } from '../../kernel/entities/wire-enum.js';
import { Pagination } from './pagination.js';
import { TapRunMode } from './table-mode.js';

export const TapSyncMode = wireEnum('TapSyncMode', 'Sync mode of a tap.', {
  full: 'Every run reads all records.',
  incremental: 'A run reads the records that are new or changed since the last run.',
  push: 'The source pushes records.',
});
export type TapSyncMode = keyof typeof TapSyncMode;

export const RecordSortOrder = wireEnum('RecordSortOrder', 'Order of the records of a tap by their cursor field.', {
  ascending: 'Oldest first.',
  descending:
    'Newest first. After a page with a record from before the time window, the service reads no further pages.',
  none: 'No order.',
});
export type RecordSortOrder = keyof typeof RecordSortOrder;

export const TimeUnit = wireEnum('TimeUnit', 'Calendar unit. Its boundaries are in UTC.', {
  second: 'Second.',
  minute: 'Minute.',
  hour: 'Hour.',
  day: 'Day.',
  week: 'Week, from Monday.',
  month: 'Month.',
  year: 'Year.',
});
export type TimeUnit = keyof typeof TimeUnit;

export const CURSOR_VALUE_FORMATS = [
  ...(['iso8601', 'date', 'epoch_seconds', 'epoch_millis', 'epoch_milliseconds'] as const),
  ...(['epoch_micros', 'epoch_nanos'] as const),
];

@PlainObjectType('Request parameters that select the records of a time window.')
export class IncrementalParams {
  @OptionalField('Path in the request body that receives the end of the window.')
  bodyFilterEndPath?: string;

  @OptionalField('Format of the times in the request body. Defaults to `iso8601`.')
  bodyFilterFormat?: string;

  @OptionalField('Path in the request body for the value of `bodyFilterTemplate`.')
  bodyFilterPath?: string;

  @OptionalField('Template of the value at `bodyFilterPath`. Defaults to the start of the window.')
  bodyFilterTemplate?: string;

  @OptionalField(
    'Number of days from the creation of a sync to the end of its last window, for records with future dates. Defaults to 0.',
    () => Int,
  )
  defaultLookaheadDays?: number;

  @OptionalField(
    'Precision of the filter of the source, if it is coarser than `sinceFormat`. The service rounds the start of the window down, and its end up.',
    () => TimeUnit,
  )
  granularity?: TimeUnit;

  @OptionalField('Kind of filter, such as `simple`. Has no effect.')
  filterType?: string;

  @OptionalField(
    'Maximum number of days from the current time to `until` in the `range` of a sync. Defaults to `defaultLookaheadDays`.',
    () => Int,
  )
  maxLookaheadDays?: number;

  @OptionalField('Maximum length of the time window of one request, in days.', () => Int)
  maxWindowDays?: number;

  @OptionalField('Query parameter that receives the result of `queryTemplate`.')
  queryParam?: string;

  @OptionalField('Template of the value of `queryParam`. Defaults to `{since}`, the start of the window.')
  queryTemplate?: string;

  @OptionalField(
    'Format of the start of the window, such as `epoch_seconds`. Defaults to `bodyFilterFormat` or, if `bodyFilterFormat` is not set, to `iso8601`.',
  )
  sinceFormat?: string;

  @OptionalField(
    'Whether the source omits records whose time is exactly the start of the window. If true, the service sends a start that is one unit earlier. The unit is `granularity` or, if `granularity` is not set, the smallest unit of the time format.',
  )
  sinceIsExclusive?: boolean;

  @OptionalField('Query parameter or GraphQL variable that receives the start of the window.')
  sinceParam?: string;

  @OptionalField('Format of the end of the window. Defaults to `sinceFormat`.')
  untilFormat?: string;

  @OptionalField(
    'Whether the source omits records whose time is exactly the end of the window. If true, the service sends an end that is one unit later. The unit is `granularity` or, if `granularity` is not set, the smallest unit of the time format.',
  )
  untilIsExclusive?: boolean;

  @OptionalField('Query parameter or GraphQL variable that receives the end of the window.')
  untilParam?: string;

  @OptionalField(
    'Longest window of one request, as a calendar unit. Cannot be combined with `maxWindowDays`.',
    () => TimeUnit,
  )
  windowUnit?: TimeUnit;
}

@PlainObjectType(
  'A query that the source runs asynchronously. The service starts the query, polls its status and then fetches the records.',
)
export class AsyncQuery {
  @OptionalField('JMESPath to the query id in the response to the start request. Defaults to `id`.')
  queryIdPath?: string;

  @OptionalField('Path of the records. Contains the variable `{queryId}`.')
  recordsEndpoint?: string;

  @OptionalField('JMESPath to the records in the response of `recordsEndpoint`.')
  recordsResponsePath?: string;

  @OptionalField('Path of the status. Contains the variable `{queryId}`.')
  statusEndpoint?: string;

  @OptionalField('JMESPath to the status in the response of `statusEndpoint`. Defaults to `status`.')
  statusPath?: string;

  @OptionalField('Value at `statusPath` if the query has succeeded.')
  successValue?: string;

  @OptionalField(
    'JMESPath to the URLs of result files in the response of `recordsEndpoint`, for sources that return the records as files.',
  )
  externalLinksPath?: string;

  @OptionalField('Value at `statusPath` if the query has failed.')
  failureValue?: string;

  @OptionalField('Further values at `statusPath` that mean failure, in addition to `failureValue`.', () => [String])
  failureValues?: string[];

  @OptionalField('Timeout of the query, in seconds. Defaults to 3,600.', () => Int)
  maxPollSeconds?: number;

  @OptionalField('Interval between status requests, in seconds. Defaults to 10.', () => Int)
  pollIntervalSeconds?: number;

  @OptionalField('Pagination of the records.', () => Pagination)
  recordsPagination?: Pagination;

  @OptionalField('Query parameters of the request for the records.', () => JsonObject)
  recordsQueryParams?: Record<string, unknown>;
}

@PlainObjectType('Response of a source to a request with an expired cursor.')
export class CursorExpiry {
  @RequiredField('HTTP status of the response.', () => Int)
  statusCode: number;

  @OptionalField(
    'JMESPath to an error code in the response. Needed if the source returns `statusCode` for other errors too.',
  )
  jmesPath?: string;

  @OptionalField('Error codes that mean an expired cursor.', () => [String])
  values?: string[];
}

@PlainObjectType('Sync mode of a tap, with the settings of this mode.')
export class TapSync {
  @RequiredField('Sync mode.', () => TapSyncMode)
  mode: TapSyncMode;

  @OptionalField(
    'Name of a tap that lists all records. The first read, and each read after an expired cursor, use the requests of the named tap. All other reads use the requests of the tap itself, which may read an event log.',
  )
  bootstrapTap?: string;

  @OptionalField('Record field whose value identifies new and changed records.')
  cursorField?: string;

  @OptionalField('Format of the cursor field, such as `iso8601`.')
  cursorValueFormat?: string;

  @OptionalField(
    'Whether the service discards records from before the time window, for sources that cannot filter by time. Defaults to `false`.',
  )
  filterByCursor?: boolean;

  @OptionalField(
    'For sources that add records late: an incremental read begins this number of seconds before the saved cursor.',
    () => Int,
  )
  lookbackSeconds?: number;

  @OptionalField(
    'How records change the table, unless the workspace chooses a different mode. Defaults to `replace` if `mode` is `full`. Otherwise defaults to `append` for events, changelogs and records without a key, and to `upsert` for all other records.',
    () => TapRunMode,
  )
  tableMode?: TapRunMode;

  @OptionalField(
    'For reads from the start: maximum age, in days, of the requested records. Without this limit, such a read requests all records.',
    () => Int,
  )
  maxLookbackDays?: number;

  @OptionalField(
    'Number of days for which the source stores changes. If the saved cursor is older, the run reads from the start, because the source no longer has all changes.',
    () => Int,
  )
  maxCursorAgeDays?: number;

  @OptionalField('OAuth scopes that the tap needs.', () => [String])
  scopes?: string[];

  @OptionalField('Order of the records by `cursorField`. Defaults to `none`.', () => RecordSortOrder)
  sortOrder?: RecordSortOrder;

  @OptionalField('Request parameters of an incremental run.', () => IncrementalParams)
  incrementalParams?: IncrementalParams;

  @OptionalField(
    'Response of the source to a request with an expired cursor, if the cursors of the source expire. After this response, the run restarts with a full read.',
    () => CursorExpiry,
  )
  onCursorExpired?: CursorExpiry;

  @OptionalField('Settings for sources that run queries asynchronously.', () => AsyncQuery)
  asyncQuery?: AsyncQuery;
}
