import {
  jsonOf,
  numberOf,
  ok,
  PAGE_SIZE,
  pageAt,
  pick,
  RejectedRequest,
  type Respond,
  selectedColumns,
  type VendorData,
  type VendorDialect,
} from './simulated-tap-pages.js';
import { type SimulatedRecord, sampleRecord } from './simulated-tap-records.js';

const API = '/services/data/v62.0';
const JOB = '750R0000000zxr8IAA';
/** SOQL cannot select this field, only its parts. */
const COMPOUND = 'BillingAddress';

const describeObject: Respond = (_, { tap }) => {
  const names = Object.keys(sampleRecord(tap, 0));
  const fields = names.map((name) => ({ name, type: 'string', deprecatedAndHidden: false }));
  const hidden = { name: 'Old__c', type: 'string', deprecatedAndHidden: true };
  return ok({ name: tap.name, fields: [...fields, { ...hidden, name: COMPOUND, type: 'address' }, hidden] });
};

const query: Respond = ({ url }, data) => {
  data.memory.statement = url.searchParams.get('q') ?? '';
  return queryPage(data, 0);
};

const nextQuery: Respond = ({ url }, data) => queryPage(data, Number(url.pathname.split('-').at(-1)));

function queryPage(data: VendorData, offset: number) {
  const { records, next, total } = pageAt(data, offset);
  return ok({
    totalSize: total,
    done: next === undefined,
    ...(next !== undefined && { nextRecordsUrl: `${API}/query/01gD0000002HU6KIAW-${next}` }),
    records: records.map((record) => ({ attributes: { type: 'Object' }, ...selectFields(data, record) })),
  });
}

function selectFields({ memory }: VendorData, record: SimulatedRecord): SimulatedRecord {
  const names = selectedColumns(memory.statement);
  const unknown = names.find((name) => !(name in record));
  if (unknown !== undefined) throw new RejectedRequest(`INVALID_FIELD: ${unknown}`);
  return pick(record, names);
}

const startJob: Respond = (call, { memory }) => {
  const { operation, query: statement } = jsonOf(call);
  if (operation !== 'query' && operation !== 'queryAll') throw new RejectedRequest(`Invalid operation: ${operation}`);
  memory.statement = `${statement}`;
  return ok({ id: JOB, operation, state: 'UploadComplete' });
};

/** The job is finished at the second status request. */
const jobState: Respond = (_, { memory }) => {
  memory.polls += 1;
  return ok({ id: JOB, state: memory.polls === 1 ? 'InProgress' : 'JobComplete' });
};

/** Returns at most two URLs per page. `nextRecordsUrl` is the path of the next page. */
const resultPages: Respond = (call, data) => {
  const start = numberOf(call, 'locator', 0);
  const count = Math.max(1, Math.ceil(data.records.length / PAGE_SIZE));
  const shown = [start, start + 1].filter((number) => number < count);
  const url = (number: number) => `${API}/jobs/query/${JOB}/results?locator=${number}`;
  const done = start + 2 >= count;
  return ok({
    resultPages: shown.map((number) => ({ resultUrl: url(number) })),
    done,
    ...(!done && { nextRecordsUrl: `${API}/jobs/query/${JOB}/resultPages?locator=${start + 2}` }),
  });
};

/** RFC 4180, with all values in quotes. */
const results: Respond = (call, data) => {
  const { records } = pageAt(data, numberOf(call, 'locator', 0) * PAGE_SIZE);
  const names = selectedColumns(data.memory.statement);
  const rows = records.map((record) => Object.values(selectFields(data, record)).map((value) => value ?? ''));
  const lines = [names, ...rows].map((values) =>
    values.map((value) => `"${`${value}`.replaceAll('"', '""')}"`).join(','),
  );
  return ok(`${lines.join('\n')}\n`, { 'content-type': 'text/csv' });
};

/** Null stays null, because the service reads an empty CSV value as null. */
function asTexts(record: SimulatedRecord): SimulatedRecord {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, value === null ? null : `${value}`]));
}

export const salesforce: VendorDialect = {
  bases: ['https://acme.my.salesforce.com/services/data/v62.0'],
  pages: {
    'GET /query': query,
    'GET /queryAll': query,
    'GET /query/*': nextQuery,
    'GET /jobs/query/*/results': results,
  },
  steps: {
    'GET /sobjects/*/describe': describeObject,
    'POST /jobs/query': startJob,
    'GET /jobs/query/*': jobState,
    'GET /jobs/query/*/resultPages': resultPages,
  },
  sent: (record, { responseExtraction }) => (responseExtraction.responseFormat === 'csv' ? asTexts(record) : record),
};
