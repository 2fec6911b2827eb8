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
      'Reads all enabled taps of a connection, or those in `tapIds`, into their tables. Background jobs do the work: poll the sync. If a sync of the connection is open, adds the requested taps to the open sync and returns the open sync. `range` reads a time range of incremental taps again, and `mode: resync` reads all records again. Fails with 409 if the connection is disabled, if it has no tap that the service can read, or if an external runner reads it. A request with `range` or `mode: resync` also fails with 409 while a sync of the connection is open.',
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
      'The sync with one run per tap. A run contains its progress (at most 1 second old), the time until which it waits, and the class of its failure. The class determines who must act.',
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
      'The tap runs of a sync, newest first, each with its latest 50 steps and the latest 50 requests of these steps. A step appears when it ends, usually within 15 seconds. URLs contain no secrets.',
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
      'The service stops reading the taps within 2 seconds. Their tables keep the rows that are already committed. In mode `replace`, a table keeps its previous rows. Has no effect on a sync that has ended. Fails with 409 for a sync of an external runner.',
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
      'Replaces the schedule. The service spreads the syncs of connections with the same schedule over the interval, or over a minute for cron. A sync that becomes due in the quiet hours starts when the quiet hours end.',
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
      'Reads the first page of a tap from the vendor and stores nothing. For a tap with a parent, starts with the first page of the parent. If the vendor fails, the result describes the failure. The result lists the requests that were sent.',
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
      'Lists the objects of the source that the connection can read, such as custom objects, and stores nothing. To read an object, add a tap with the `name` of the object as `objectName`. If the vendor fails, the result describes the failure.',
    errorCodes: ['NOT_FOUND', 'CONFLICT'],
    example: {
      tapId: '719Iu478AJyQb2mHKKQ5uD',
      objects: [{ name: 'Invoice__c', label: 'Invoice', tenantConnectorTapId: '4tQ8nW2xKrlCsVO93EktnB' }],
      isTruncated: false,
    },
  },
];
