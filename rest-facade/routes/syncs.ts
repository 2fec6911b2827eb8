import type { Route } from './route.js';

const audit = {
  createdAt: '2026-01-31T12:00:00.000Z',
  createdBy: '2vMb1qUYpXl5LQ4Q8mB808',
  updatedAt: '2026-01-31T12:00:00.000Z',
  updatedBy: '2vMb1qUYpXl5LQ4Q8mB808',
};

const queued = {
  id: '2of1XTweukVock53fRzcyj',
  trigger: 'manual',
  status: 'queued',
  isInitial: true,
  runUntil: '2026-01-31T12:00:00.000Z',
  qualityDegraded: false,
  ...audit,
};

const counts = { recordsRead: 1_200, recordsWritten: 1_198, recordsRejected: 2 };

const succeeded = {
  ...queued,
  status: 'succeeded',
  startedAt: '2026-01-31T12:00:01.000Z',
  finishedAt: '2026-01-31T12:05:00.000Z',
  ...counts,
};

const tapRun = {
  id: '20I2OtbECCjG7O4j5kPCIn',
  tap: { id: '4tQ8nW2xKrlCsVO93EktnB', name: 'issues' },
  mode: 'append',
  status: 'succeeded',
  startedAt: '2026-01-31T12:00:01.000Z',
  finishedAt: '2026-01-31T12:05:00.000Z',
  ...counts,
  bytesRead: 1_048_576,
  requests: 12,
  slicesTotal: 3,
  slicesDone: 3,
  leftOutParents: 0,
  isResync: false,
};

const { id, tap, status } = tapRun;
const timelineRun = { id, tap, status };

const step = {
  startedAt: '2026-01-31T12:00:01.000Z',
  endedAt: '2026-01-31T12:05:00.000Z',
  outcome: 'completed',
  ...counts,
  bytesRead: 1_048_576,
  requests: 12,
  slicesDone: 3,
};

const schedule = {
  id: '5VFCjRGin0ZhdAQ9YOuuez',
  kind: 'interval',
  intervalMinutes: 360,
  timezone: 'Europe/Berlin',
  quietFrom: '22:00',
  quietUntil: '06:00',
  nextRunAt: '2026-01-31T18:12:07.000Z',
  ...audit,
};

const trial = {
  requests: [
    {
      at: '2026-01-31T12:00:00.000Z',
      method: 'GET',
      url: 'https://api.github.com/user/orgs?per_page=100',
      status: 200,
      durationMs: 180,
      bytes: 412,
      attempt: 1,
    },
  ],
  records: [{ id: 1, login: 'acme' }],
  recordCount: 1,
  columns: [
    { name: 'id', type: 'Integer' },
    { name: 'login', type: 'String' },
  ],
};

const OF_CONNECTION = '/api/vendors/tenant-connector-instances/{instanceId}';

export const syncRoutes: readonly Route[] = [
  {
    operation: 'startSync',
    method: 'post',
    path: `${OF_CONNECTION}/syncs`,
    extension: true,
    tag: 'Syncs',
    summary: 'Start a sync',
    description:
      'Reads all enabled taps of a connection, or those in `tapIds`, into their tables. Background jobs read the taps. For the progress and the result, poll the sync. If a sync of the connection is open, adds the requested taps to the open sync and returns the open sync. `range` reads a time range of incremental taps again, and `mode: resync` reads all records again. Fails with 409 if the connection is disabled, if an external runner reads it, or if the service can read none of its taps. Fails with 409 if the service cannot read a requested tap, for example because the tap is disabled. A request with `range` or `mode: resync` also fails with 409 while a sync of the connection is open.',
    errorCodes: ['NOT_FOUND', 'CONFLICT'],
    status: 202,
    example: queued,
  },
  {
    operation: 'syncJobs',
    method: 'get',
    path: `${OF_CONNECTION}/syncs`,
    extension: true,
    paged: true,
    tag: 'Syncs',
    summary: 'List syncs of a connection',
    description:
      'Syncs of a connection, run by the service or reported by an external runner, newest first. `status`, `createdFrom` and `createdUntil` narrow the list.',
    errorCodes: ['NOT_FOUND'],
    example: { items: [succeeded], limit: 50, offset: 0, total: 1 },
  },
  {
    operation: 'sync',
    method: 'get',
    path: '/api/syncs/{id}',
    extension: true,
    tag: 'Syncs',
    summary: 'Get a sync',
    description:
      'The sync and its tap runs, one per tap. The counts of a run are at most 1 second old. While a run waits, its `notBefore` is the earliest time at which the run continues. If a run failed, its `errorClass` determines who must act.',
    notFoundMessage: 'The sync does not exist.',
    example: { ...succeeded, tapRuns: [tapRun] },
  },
  {
    operation: 'syncTimeline',
    method: 'get',
    path: '/api/syncs/{id}/timeline',
    extension: true,
    tag: 'Syncs',
    summary: 'Get the timeline of a sync',
    description:
      'The tap runs of a sync, newest first, each with its latest 50 steps and its latest 50 requests. A step and its requests appear when the step ends, usually within 15 seconds. URLs contain no secrets.',
    notFoundMessage: 'The sync does not exist.',
    example: [{ ...timelineRun, timeline: { steps: [step], requests: trial.requests } }],
  },
  {
    operation: 'cancelSync',
    method: 'post',
    path: '/api/syncs/{id}/cancel',
    extension: true,
    tag: 'Syncs',
    summary: 'Cancel a sync',
    description:
      'The service stops reading the taps within 2 seconds. Their tables keep the rows that are already committed. In mode `replace`, an incomplete read does not change the table. Has no effect on a sync that has ended. Fails with 409 for a sync of an external runner.',
    errorCodes: ['NOT_FOUND', 'CONFLICT'],
    example: { ...succeeded, status: 'cancelled' },
  },
  {
    operation: 'syncSchedule',
    method: 'get',
    path: `${OF_CONNECTION}/schedule`,
    extension: true,
    tag: 'Syncs',
    summary: 'Get the schedule of a connection',
    description: 'The schedule of the syncs of a connection.',
    notFoundMessage: 'The connection does not exist or has no schedule. Set a schedule with PUT.',
    example: schedule,
  },
  {
    operation: 'setSyncSchedule',
    method: 'put',
    path: `${OF_CONNECTION}/schedule`,
    extension: true,
    tag: 'Syncs',
    summary: 'Set the schedule of a connection',
    description:
      'Replaces the schedule. If several connections have the same schedule, the service distributes their syncs across the interval. For the kind `cron`, it distributes them across the minute after each time of the expression. A sync that becomes due in the quiet hours starts when the quiet hours end.',
    errorCodes: ['NOT_FOUND'],
    example: schedule,
  },
  {
    operation: 'tryTap',
    method: 'post',
    path: `${OF_CONNECTION}/try`,
    extension: true,
    callsOut: true,
    tag: 'Syncs',
    summary: 'Try a tap',
    description:
      'Reads the first page of a tap from the vendor and stores nothing. For a tap with a parent, starts with the first page of the parent. If a request to the vendor fails, the result describes the failure. The result lists the requests that the service sent.',
    errorCodes: ['NOT_FOUND'],
    example: trial,
  },
  {
    operation: 'discoverObjects',
    method: 'post',
    path: `${OF_CONNECTION}/objects`,
    extension: true,
    callsOut: true,
    tag: 'Syncs',
    summary: 'List the objects of the source',
    description:
      'Lists the objects of the source that the connection can read, such as custom objects, and stores nothing. To read an object, call `POST /api/tenant-connector-taps` with `tapId` of the result, and with the `name` of the object as `objectName`. If a request to the vendor fails, the result describes the failure.',
    errorCodes: ['NOT_FOUND', 'CONFLICT'],
    example: {
      tapId: '719Iu478AJyQb2mHKKQ5uD',
      objects: [{ name: 'Invoice__c', label: 'Invoice', tenantConnectorTapId: '4tQ8nW2xKrlCsVO93EktnB' }],
      isTruncated: false,
    },
  },
];
