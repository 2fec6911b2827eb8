import {
  linkOf,
  numberOf,
  ok,
  PAGE_SIZE,
  pageAt,
  RejectedRequest,
  type Respond,
  type VendorDialect,
  withParameters,
} from '../simulated-tap-pages.js';
import { timeOf } from '../simulated-tap-records.js';

const TIME = /^\d{4}-\d\d-\d\dT[\d:]+/;
const QUERY = /^(sys_updated_on>=\d{4}-\d\d-\d\d [\d:]{8}\^)?ORDERBYsys_created_on\^ORDERBYsys_id$/;

/** The times of the vendor have no zone. */
const sent = (value: unknown): unknown => {
  if (typeof value === 'string' && TIME.test(value)) return value.slice(0, 19).replace('T', ' ');
  return value;
};

const servicenow: Respond = withParameters({ sysparm_exclude_reference_link: 'true' }, (call, data) => {
  const query = call.url.searchParams.get('sysparm_query') ?? '';
  if (!QUERY.test(query)) throw new RejectedRequest(`Invalid query: ${query}`);
  if (numberOf(call, 'sysparm_limit', 10_000) > 10_000) throw new RejectedRequest('The limit is too large.');
  const { records, next } = pageAt(data, numberOf(call, 'sysparm_offset', 0), PAGE_SIZE);
  const result = records.map((record) =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [name, sent(value)])),
  );
  const link = next === undefined ? undefined : linkOf(call, { sysparm_offset: next }).href;
  return ok({ result }, link ? { link: `<${link}>;rel="next"` } : undefined);
});

const withoutMilliseconds = (nth: number): string => timeOf(nth).toISOString().replace('.000Z', 'Z');

const TABLES = [
  ...['incident', 'problem', 'change_request', 'sc_request', 'sc_req_item', 'task', 'sys_user', 'sys_user_group'],
  ...['sys_user_grmember', 'cmn_department', 'cmn_location', 'core_company', 'cmdb_ci', 'kb_knowledge'],
];
const TIMES = [
  ...['sys_created_on', 'sys_updated_on', 'opened_at', 'resolved_at', 'closed_at', 'due_date', 'start_date'],
  ...['end_date', 'work_start', 'work_end', 'last_login_time'],
];

export const SERVICE_DESK_DIALECTS: Readonly<Record<string, VendorDialect>> = {
  'servicenow/table-api': {
    bases: ['https://data.acme.test/api/now'],
    pages: Object.fromEntries(TABLES.map((table) => [`GET /table/${table}`, servicenow])),
    values: Object.fromEntries(TIMES.map((name) => [name, withoutMilliseconds])),
  },
};
