import {
  numberOf,
  ok,
  pageAt,
  pageAtCursor,
  pick,
  RejectedRequest,
  type Respond,
  type VendorDialect,
} from '../simulated-tap-pages.js';
import { timeOf } from '../simulated-tap-records.js';

/** The cursor of the next page is the id of the last object of this page. */
function afterLastId(parameter: string, maxLimit: number): Respond {
  return (call, data) => {
    if (numberOf(call, 'limit', 20) > maxLimit) throw new RejectedRequest('The limit is too large.');
    const { records, next, cursor } = pageAtCursor(data, call.url.searchParams.get(parameter));
    return ok({ object: 'list', data: records, first_id: '-', last_id: cursor ?? null, has_more: next !== undefined });
  };
}

const openai = afterLastId('after', 100);
const anthropic = afterLastId('after_id', 1_000);

interface Buckets {
  readonly start: string;
  readonly end: string;
  readonly group: string;
  readonly groups: readonly string[];
  readonly maxDays?: number;
  readonly time: RegExp;
}

/** One bucket per day, with one result each. */
function buckets({ start, end, group, groups, maxDays = 31, time }: Buckets): Respond {
  return (call, data) => {
    const { searchParams } = call.url;
    if (numberOf(call, 'limit', 7) > maxDays) throw new RejectedRequest('The limit is too large.');
    if (searchParams.get('bucket_width') !== '1d') throw new RejectedRequest('The width is not one day.');
    const asked = searchParams.getAll(group).join();
    if (asked !== groups.join()) throw new RejectedRequest(`Invalid groups: ${asked}`);
    const wrong = [start, end].find((name) => searchParams.has(name) && !time.test(`${searchParams.get(name)}`));
    if (wrong) throw new RejectedRequest(`Invalid ${wrong}: ${searchParams.get(wrong)}`);
    const { records, cursor } = pageAtCursor(data, searchParams.get('page'));
    const days = records.map(({ record_key: _, [start]: from, [end]: to, ...result }) => {
      return { object: 'bucket', [start]: from, [end]: to, results: [result] };
    });
    return ok({ object: 'page', data: days, has_more: cursor !== undefined, next_page: cursor ?? null });
  };
}

const KEYS = ['project_id', 'user_id', 'api_key_id', 'model'];

const usage = (groups: readonly string[], maxDays?: number): Respond =>
  buckets({ start: 'start_time', end: 'end_time', group: 'group_by', groups, maxDays, time: /^\d{10}$/ });

const report = (...groups: readonly string[]): Respond =>
  buckets({ start: 'starting_at', end: 'ending_at', group: 'group_by[]', groups, time: /^\d{4}-\d\d-\d\dT00:00:00Z$/ });

const claudeCode: Respond = (call, data) => {
  const day = call.url.searchParams.get('starting_at');
  if (day && !/^\d{4}-\d\d-\d\d$/.test(day)) throw new RejectedRequest(`Invalid day: ${day}`);
  const { records, cursor } = pageAtCursor(data, call.url.searchParams.get('page'));
  const people = records.map(({ actor_name: _, ...record }) => record);
  return ok({ data: people, has_more: cursor !== undefined, next_page: cursor ?? null });
};

const midnight = (nth: number): Date => new Date(Math.floor(timeOf(nth * 24 * 60).getTime() / 86_400_000) * 86_400_000);

const lookerList: Respond = (call, { records }) => {
  const fields = call.url.searchParams.get('fields')?.split(',');
  return ok(records.map((record) => (fields ? pick(record, fields) : record)));
};

const looker: Respond = (call, data) => {
  const { records } = pageAt(data, numberOf(call, 'offset', 0), numberOf(call, 'limit', 1_000));
  return lookerList(call, { ...data, records });
};

export const INSIGHT_DIALECTS: Readonly<Record<string, VendorDialect>> = {
  'anthropic/admin-api': {
    bases: ['https://api.anthropic.com/v1/organizations'],
    pages: {
      'GET /users': anthropic,
      'GET /invites': anthropic,
      'GET /workspaces': anthropic,
      'GET /workspaces/*/members': anthropic,
      'GET /api_keys': anthropic,
      'GET /cost_report': report('workspace_id', 'description'),
      'GET /usage_report/messages': report('api_key_id', 'workspace_id', 'model', 'service_tier', 'context_window'),
      'GET /usage_report/claude_code': claudeCode,
    },
    values: {
      starting_at: (nth) => midnight(nth).toISOString(),
      actor: (nth) => ({ type: 'user_actor', email_address: `person-${nth}@acme.test` }),
      actor_name: (nth) => `person-${nth}@acme.test`,
    },
  },
  'looker/rest-api': {
    bases: ['https://data.acme.test/api/4.0'],
    pages: {
      'GET /users': looker,
      'GET /groups': looker,
      'GET /dashboards/search': looker,
      'GET /looks/search': looker,
      'GET /lookml_models': looker,
      'GET /alerts/search': looker,
    },
    lists: {
      'GET /roles': lookerList,
      'GET /permission_sets': lookerList,
      'GET /model_sets': lookerList,
      'GET /user_attributes': lookerList,
      'GET /folders': lookerList,
      'GET /boards': lookerList,
      'GET /projects': lookerList,
      'GET /connections': lookerList,
      'GET /scheduled_plans': lookerList,
    },
  },
  'openai/admin-api': {
    bases: ['https://api.openai.com/v1/organization'],
    pages: {
      'GET /users': openai,
      'GET /invites': openai,
      'GET /projects': openai,
      'GET /projects/*/users': openai,
      'GET /projects/*/api_keys': openai,
      'GET /projects/*/service_accounts': openai,
      'GET /projects/*/rate_limits': openai,
      'GET /admin_api_keys': openai,
      'GET /audit_logs': openai,
      'GET /costs': usage(['project_id', 'line_item', 'api_key_id'], 180),
      'GET /usage/completions': usage([...KEYS, 'batch', 'service_tier']),
      'GET /usage/embeddings': usage(KEYS),
      'GET /usage/moderations': usage(KEYS),
      'GET /usage/images': usage([...KEYS, 'size', 'source']),
      'GET /usage/audio_speeches': usage(KEYS),
      'GET /usage/audio_transcriptions': usage(KEYS),
      'GET /usage/vector_stores': usage(['project_id']),
      'GET /usage/code_interpreter_sessions': usage(['project_id']),
    },
    values: { start_time: (nth) => midnight(nth).getTime() / 1_000 },
  },
};
