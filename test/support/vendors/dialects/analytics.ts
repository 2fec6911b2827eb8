import type { StubReply } from '../../servers/any-host-server.js';
import {
  jsonOf,
  numberOf,
  ok,
  pageAtCursor,
  RejectedRequest,
  type Respond,
  type VendorDialect,
  withParameters,
} from '../simulated-tap-pages.js';
import { type SimulatedRecord, timeOf } from '../simulated-tap-records.js';

/** Gong returns 404 if no record matches a filter. */
function gong(list: string, isFiltered = false): Respond {
  return (call, data) => {
    const body = call.method === 'POST' ? jsonOf(call) : {};
    const sent = call.method === 'POST' ? body.cursor : call.url.searchParams.get('cursor');
    const { records, cursor, total } = pageAtCursor(data, sent);
    if (isFiltered && total === 0) return notFound;
    const info = { totalRecords: total, currentPageSize: records.length, currentPageNumber: 0 };
    return ok({ requestId: '1', records: { ...info, ...(cursor && { cursor }) }, [list]: records });
  };
}

const notFound: StubReply = {
  status: 404,
  body: { requestId: '1', errors: ['No calls found corresponding to the provided filters'] },
};

const gongCalls: Respond = (call, data) => {
  const start = call.url.searchParams.get('fromDateTime');
  if (start !== null && !/^\d{4}-.*Z$/.test(start)) throw new RejectedRequest(`Invalid start: ${start}`);
  return gong('calls', true)(call, data);
};

const CALL_PARTS = ['parties', 'content', 'interaction', 'collaboration', 'context'];

/** Most fields of a call are in `metaData`. */
const gongCallDetails: Respond = (call, data) => {
  const { filter, contentSelector } = jsonOf(call) as unknown as GongCalls;
  if (filter.fromDateTime && !/^\d{4}-.*Z$/.test(filter.fromDateTime))
    throw new RejectedRequest(`Invalid start: ${filter.fromDateTime}`);
  const { parties, ...others } = contentSelector.exposedFields;
  if (!parties || Object.keys(others).length < 3) throw new RejectedRequest('Parts of the calls are missing.');
  return gong('calls', true)(call, { ...data, records: data.records.map(nested) });
};

interface GongCalls {
  readonly filter: { readonly fromDateTime?: string };
  readonly contentSelector: { readonly exposedFields: Readonly<Record<string, unknown>> };
}

function nested(record: SimulatedRecord): SimulatedRecord {
  const fields = Object.entries(record);
  const metaData = Object.fromEntries(fields.filter(([name]) => !CALL_PARTS.includes(name)));
  return { metaData, ...Object.fromEntries(fields.filter(([name]) => CALL_PARTS.includes(name))) };
}

const gongTranscripts: Respond = (call, data) => {
  const { callIds } = jsonOf(call).filter as { callIds: string[] };
  if (callIds.join() !== 'id-0') throw new RejectedRequest(`Invalid calls: ${callIds}`);
  return gong('callTranscripts', true)(call, data);
};

const gongAnswers: Respond = (call, data) => {
  const days = Object.values(jsonOf(call).filter as Record<string, string>);
  if (!days.every(isDay)) throw new RejectedRequest(`Invalid days: ${days}`);
  return gong('answeredScorecards', true)(call, data);
};

const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text);

function requireDays({ searchParams }: URL, pattern: RegExp, ...names: readonly string[]): void {
  const wrong = names.find((name) => !pattern.test(searchParams.get(name) ?? '20260101'));
  if (wrong) throw new RejectedRequest(`Invalid ${wrong}: ${searchParams.get(wrong)}`);
}

const DAY = /^(\d{4}-\d\d-\d\d|20260101)$/;

const ofProject = { project_id: '12345' };

/** One event per line, as JSON. */
const mixpanelExport: Respond = ({ url }, { records }) => {
  requireDays(url, DAY, 'from_date', 'to_date');
  const lines = records.map(({ event, time, distinct_id, insert_id, properties }) => {
    const own = { time, distinct_id, $insert_id: insert_id };
    return JSON.stringify({ event, properties: { ...(properties as object), ...own } });
  });
  return { status: 200, body: lines.join('\n'), headers: { 'content-type': 'text/plain; charset=utf-8' } };
};

const mixpanelNames: Respond = (_, { records }) => ok(records.map(({ name }) => name));

const mixpanelResults: Respond = (_, { records }) => ok({ status: 'ok', results: records });

/** Two parallel lists: the days and their values. */
function amplitudeSeries(value: string): Respond {
  return ({ url }, { records }) => {
    requireDays(url, /^\d{8}$/, 'start', 'end');
    return ok({ data: { xValues: records.map(({ date }) => date), series: [records.map((record) => record[value])] } });
  };
}

const amplitudeUsers: Respond = (call, data) => {
  if (!['active', 'new'].includes(call.url.searchParams.get('m') ?? '')) throw new RejectedRequest('Invalid metric.');
  if (numberOf(call, 'i', 1) !== 1) throw new RejectedRequest('The interval is not one day.');
  return amplitudeSeries('users')(call, data);
};

const amplitudeList: Respond = (_, { records }) => ok({ success: true, data: records });

const dayOf = (nth: number): string =>
  timeOf(nth * 24 * 60)
    .toISOString()
    .slice(0, 10);

export const ANALYTICS_DIALECTS: Readonly<Record<string, VendorDialect>> = {
  'amplitude/rest-api': {
    bases: ['https://amplitude.com/api'],
    lists: {
      'GET /2/events/list': amplitudeList,
      'GET /2/users': amplitudeUsers,
      'GET /2/sessions/average': amplitudeSeries('length'),
      'GET /3/cohorts': (_, { records }) => ok({ cohorts: records }),
      'GET /3/annotations': amplitudeList,
      'GET /2/taxonomy/category': amplitudeList,
      'GET /2/taxonomy/event': amplitudeList,
      'GET /2/taxonomy/user-property': amplitudeList,
    },
    values: { date: dayOf },
  },
  'gong/rest-api': {
    bases: ['https://us-12345.api.gong.io/v2'],
    pages: {
      'GET /calls': gongCalls,
      'POST /calls/extensive': gongCallDetails,
      'POST /calls/transcript': gongTranscripts,
      'GET /users': gong('users'),
      'GET /flows': withParameters({ flowOwnerEmail: 'emailAddress-0' }, gong('flows')),
      'POST /stats/activity/scorecards': gongAnswers,
    },
    lists: {
      'GET /settings/scorecards': (_, { records }) => ok({ requestId: '1', scorecards: records }),
      'GET /workspaces': (_, { records }) => ok({ requestId: '1', workspaces: records }),
    },
  },
  'mixpanel/export-api': {
    bases: ['https://data.mixpanel.com/api/2.0'],
    lists: { 'GET /export': withParameters(ofProject, mixpanelExport) },
    sent: (record) => {
      const { time, distinct_id, insert_id, properties } = record;
      return { ...record, properties: { ...(properties as object), time, distinct_id, $insert_id: insert_id } };
    },
  },
  'mixpanel/query-api': {
    bases: ['https://mixpanel.com/api'],
    lists: {
      'POST /query/cohorts/list': withParameters(ofProject, (_, { records }) => ok(records)),
      'GET /query/funnels/list': withParameters(ofProject, (_, { records }) => ok(records)),
      'GET /query/events/names': withParameters({ ...ofProject, type: 'general' }, mixpanelNames),
      'GET /app/projects/12345/annotations': mixpanelResults,
      'GET /app/projects/12345/schemas': mixpanelResults,
    },
  },
};
