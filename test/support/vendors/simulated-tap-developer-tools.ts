import { gzipSync } from 'node:zlib';
import type { StubReply } from '../servers/any-host-server.js';
import { GITHUB_DIALECT } from './simulated-tap-github.js';
import { graphqlConnection } from './simulated-tap-graphql.js';
import {
  jsonOf,
  linkOf,
  numberOf,
  ok,
  PAGE_SIZE,
  pageAt,
  pageAtCursor,
  RejectedRequest,
  type Respond,
  selectedColumns,
  type VendorData,
  type VendorDialect,
  withParameters,
} from './simulated-tap-pages.js';
import type { SimulatedRecord } from './simulated-tap-records.js';

const datadogMonitors: Respond = (call, data) => {
  const size = numberOf(call, 'page_size', data.records.length || 1);
  return ok(pageAt(data, numberOf(call, 'page', 0) * size, size).records);
};

const datadogHosts: Respond = (call, data) => {
  const { records, total } = pageAt(data, numberOf(call, 'start', 0), numberOf(call, 'count', 100));
  return ok({ host_list: records, total_matching: total, total_returned: records.length });
};

const datadogAccess: Respond = (call, data) => {
  const size = numberOf(call, 'page[size]', 10);
  const { records, total } = pageAt(data, numberOf(call, 'page[number]', 0) * size, size);
  return ok({ data: records, meta: { page: { total_count: total, total_filtered_count: total } } });
};

function datadogOffset(list: string, { start, count, size }: { start: string; count: string; size: number }): Respond {
  return (call, data) => {
    const { records } = pageAt(data, numberOf(call, start, 0), numberOf(call, count, size));
    return ok({ [list]: records });
  };
}

const datadogTests: Respond = (call, data) => {
  const size = numberOf(call, 'page_size', 100);
  return ok({ tests: pageAt(data, numberOf(call, 'page_number', 0) * size, size).records });
};

const datadogMetrics: Respond = (call, data) => {
  if (!call.url.searchParams.has('page[size]')) return ok({ data: data.records });
  const { records, cursor } = pageAtCursor(data, call.url.searchParams.get('page[cursor]'));
  return ok({ data: records, meta: { pagination: { type: 'cursor_limit', next_cursor: cursor ?? null } } });
};

function datadogSearch(data: VendorData, sent: unknown): StubReply {
  const { records, cursor } = pageAtCursor(data, sent);
  return ok({ data: records, meta: { status: 'done', ...(cursor && { page: { after: cursor } }) } });
}

const gitlab: Respond = (call, data) => {
  const page = numberOf(call, 'page', 1);
  const { records, next } = pageAt(data, (page - 1) * PAGE_SIZE);
  const links = [...(next === undefined ? [] : [[page + 1, 'next'] as const]), [1, 'first'] as const];
  const link = links.map(([number, relation]) => `<${linkOf(call, { page: number }).href}>; rel="${relation}"`);
  return ok(records, { link: link.join(', '), 'x-next-page': next === undefined ? '' : `${page + 1}` });
};

const metabase: Respond = (call, data) => {
  const limit = numberOf(call, 'limit', data.records.length);
  const offset = numberOf(call, 'offset', 0);
  const { records, total } = pageAt(data, offset, limit);
  return ok({ data: records, total, limit, offset });
};

const STATEMENT = '01b2c3d4-0000-aaaa-0000-000000000001';

/** With `async`, only starts the statement. */
const snowflakeStart: Respond = (call, data) => {
  const { statement, warehouse, role } = jsonOf(call);
  if (!warehouse || !role) throw new RejectedRequest('The statement has no warehouse or role.');
  data.memory.statement = `${statement}`;
  if (call.url.searchParams.get('async') !== 'true') return snowflakePartition(data, 0);
  return {
    status: 202,
    body: { code: '333334', message: 'The operation is in progress.', statementHandle: STATEMENT },
  };
};

/**
 * Returns the status or a partition of an asynchronous statement. The statement is finished at the second status
 * request.
 */
const snowflakeRead: Respond = (call, data) => {
  if (!call.url.pathname.endsWith(STATEMENT)) throw new RejectedRequest('The statement does not exist.');
  const partition = numberOf(call, 'partition', 0);
  data.memory.polls += 1;
  if (partition === 0 && data.memory.polls === 1)
    return {
      status: 202,
      body: { code: '333334', message: 'The operation is in progress.', statementHandle: STATEMENT },
    };
  return snowflakePartition(data, partition);
};

/** Only the first partition has metadata. The other partitions are compressed. */
function snowflakePartition(data: VendorData, partition: number): StubReply {
  const { records, total } = pageAt(data, partition * PAGE_SIZE);
  const count = Math.max(1, Math.ceil(total / PAGE_SIZE));
  if (partition >= count) throw new RejectedRequest(`Partition ${partition} does not exist.`);
  const columns = selectedColumns(data.memory.statement).map(snowflakeColumn);
  const rows = records.map((record) => columns.map((column) => textOf(record[column])));
  const body = { code: '090001', message: 'Statement executed successfully.', statementHandle: STATEMENT, data: rows };
  if (partition > 0) return ok(gzipSync(JSON.stringify({ data: rows })), { 'content-encoding': 'gzip' });
  const partitionInfo = Array.from({ length: count }, () => ({ rowCount: PAGE_SIZE, uncompressedSize: 1_000 }));
  const rowType = columns.map((name) => ({ name, type: 'text' }));
  return ok({ ...body, resultSetMetaData: { numRows: total, format: 'jsonv2', rowType, partitionInfo } });
}

function snowflakeColumn(expression: string): string {
  const names = expression.replaceAll(/'(?:[^']|'')*'/g, '').match(/[A-Z_]+(?!\w|\()/g);
  return names?.at(-1) ?? '';
}

function textOf(value: unknown): string | null {
  return value === null || value === undefined ? null : `${value}`;
}

/** The numbers in `pagination` are strings, and an empty list is an empty object. */
function tableau(list: string, element: string): Respond {
  return (call, data) => {
    const pageNumber = numberOf(call, 'pageNumber', 1);
    const pageSize = numberOf(call, 'pageSize', 100);
    const { records, offset, total } = pageAt(data, (pageNumber - 1) * pageSize, pageSize);
    if (pageNumber > 1 && offset >= total) throw new RejectedRequest('400006: the page number is too large.');
    const pagination = { pageNumber: `${pageNumber}`, pageSize: `${pageSize}`, totalAvailable: `${total}` };
    return ok({ pagination, [list]: records.length > 0 ? { [element]: records } : {} });
  };
}

export const DEVELOPER_TOOL_DIALECTS: Readonly<Record<string, VendorDialect>> = {
  'datadog/datadog-api': {
    bases: ['https://api.datadoghq.com'],
    pages: {
      'GET /api/v1/monitor': datadogMonitors,
      'GET /api/v1/hosts': datadogHosts,
      'GET /api/v2/events': ({ url }, data) => datadogSearch(data, url.searchParams.get('page[cursor]')),
      'POST /api/v2/logs/events/search': (call, data) =>
        datadogSearch(data, (jsonOf(call).page as { cursor?: string }).cursor),
      'GET /api/v2/users': datadogAccess,
      'GET /api/v2/roles': datadogAccess,
      'GET /api/v2/roles/*/users': datadogAccess,
      'GET /api/v1/dashboard': datadogOffset('dashboards', { start: 'start', count: 'count', size: 100 }),
      'GET /api/v1/slo': datadogOffset('data', { start: 'offset', count: 'limit', size: 1_000 }),
      'GET /api/v1/synthetics/tests': datadogTests,
      'GET /api/v1/notebooks': datadogOffset('data', { start: 'start', count: 'count', size: 100 }),
      'GET /api/v2/downtime': datadogOffset('data', { start: 'page[offset]', count: 'page[limit]', size: 30 }),
      'GET /api/v2/incidents': datadogOffset('data', { start: 'page[offset]', count: 'page[size]', size: 10 }),
      'GET /api/v2/team': datadogAccess,
      'GET /api/v2/team/*/memberships': datadogAccess,
      'GET /api/v2/metrics': datadogMetrics,
      'GET /api/v2/audit/events': ({ url }, data) => datadogSearch(data, url.searchParams.get('page[cursor]')),
    },
    lists: { 'GET /api/v2/permissions': (_, { records }) => ok({ data: records }) },
  },
  'github/rest-api': GITHUB_DIALECT,
  'gitlab/rest-api': {
    bases: ['https://gitlab.com/api/v4', 'https://data.acme.test/api/v4'],
    pages: {
      'GET /groups': gitlab,
      'GET /groups/*/members/all': gitlab,
      'GET /groups/*/projects': gitlab,
      'GET /projects/*/issues': withParameters({ scope: 'all' }, gitlab),
      'GET /projects/*/merge_requests': withParameters({ scope: 'all' }, gitlab),
      'GET /projects/*/pipelines': withParameters({ order_by: 'updated_at' }, gitlab),
      'GET /projects/*/jobs': gitlab,
      'GET /projects/*/repository/commits': gitlab,
      'GET /projects/*/repository/branches': gitlab,
      'GET /projects/*/repository/tags': gitlab,
      'GET /projects/*/releases': gitlab,
      'GET /projects/*/environments': gitlab,
      'GET /projects/*/deployments': withParameters({ order_by: 'updated_at' }, gitlab),
      'GET /projects/*/milestones': gitlab,
      'GET /groups/*/milestones': gitlab,
      'GET /projects/*/labels': gitlab,
    },
  },
  'linear/graphql-api': {
    bases: ['https://api.linear.app'],
    pages: { 'POST /graphql': graphqlConnection },
  },
  'metabase/metabase-api': {
    bases: ['https://data.acme.test/api'],
    pages: {
      'GET /search': withParameters({ models: 'dashboard' }, metabase),
      'GET /user': withParameters({ status: 'all' }, metabase),
    },
    lists: {
      'GET /card': (_, { records }) => ok(records),
      'GET /collection': (_, { records }) => ok(records),
      'GET /database': (_, { records }) => ok({ data: records, total: records.length }),
      'GET /dashboard/*': (_, { records }) => ok({ id: 1, name: 'Sales', tabs: [], dashcards: records }),
      'GET /database/*/metadata': (_, { records }) => ok({ id: 1, name: 'Sample', tables: records }),
    },
  },
  'snowflake/snowflake-account-usage': {
    bases: ['https://acme-main.snowflakecomputing.com'],
    pages: { 'POST /api/v2/statements': snowflakeStart, 'GET /api/v2/statements/*': snowflakeRead },
    lists: { 'GET /api/v2/warehouses': (_, { records }) => ok(records) },
    sent: (record, { name }): SimulatedRecord =>
      name === 'warehouses'
        ? record
        : Object.fromEntries(Object.entries(record).map(([column, value]) => [column, textOf(value)])),
  },
  'tableau/tableau-site': {
    bases: ['https://tableau.acme.test/api/3.21/sites/site-1'],
    pages: {
      'GET /projects': tableau('projects', 'project'),
      'GET /workbooks': tableau('workbooks', 'workbook'),
      'GET /views': tableau('views', 'view'),
      'GET /datasources': tableau('datasources', 'datasource'),
      'GET /users': tableau('users', 'user'),
      'GET /groups': tableau('groups', 'group'),
      'GET /groups/*/users': tableau('users', 'user'),
    },
  },
};
