import {
  linkOf,
  numberOf,
  ok,
  PAGE_SIZE,
  pageAt,
  pageAtCursor,
  RejectedRequest,
  type Respond,
  type VendorData,
  type VendorDialect,
  withParameters,
} from '../simulated-tap-pages.js';
import { timeOf } from '../simulated-tap-records.js';

type SimulatedRecord = VendorData['records'][number];

/** Omits the total unless the request asks for it or lists transactions. */
function paypal(list: string, maxSize: number, sent = (record: SimulatedRecord): SimulatedRecord => record): Respond {
  return (call, data) => {
    const size = numberOf(call, 'page_size', 10);
    if (size > maxSize) throw new RejectedRequest('The page is too large.');
    const { records, total } = pageAt(data, (numberOf(call, 'page', 1) - 1) * size, size);
    const hasTotal = list === 'transaction_details' || call.url.searchParams.get('total_required') === 'true';
    const totals = hasTotal && { total_items: total, total_pages: Math.ceil(total / size) };
    return ok({ [list]: records.map(sent), links: [], ...totals });
  };
}

/** In the times of transactions, the offset from UTC has no colon. */
const paypalTransaction = ({ payer_info, ...info }: SimulatedRecord): SimulatedRecord => ({
  transaction_info: Object.fromEntries(
    Object.entries(info).map(([name, value]) => [
      name,
      value && name.endsWith('_date') ? `${value}`.replace(/\.\d+Z$/, '+0000') : value,
    ]),
  ),
  payer_info,
});

const paypalTransactions: Respond = (call, data) => {
  const sent = call.url.searchParams.get('start_date');
  if (sent && !/^\d{4}-\d\d-\d\dT[\d:]+Z$/.test(sent)) throw new RejectedRequest(`Invalid start: ${sent}`);
  return paypal('transaction_details', 500, paypalTransaction)(call, data);
};

function paypalLinks(list: string): Respond {
  return (call, data) => {
    const { records, cursor } = pageAtCursor(data, call.url.searchParams.get('next_page_token'));
    const next = cursor && { href: linkOf(call, { next_page_token: cursor }).href, rel: 'next', method: 'GET' };
    return ok({
      [list]: records,
      links: [{ href: call.url.href, rel: 'self', method: 'GET' }, ...(next ? [next] : [])],
    });
  };
}

const second = (nth: number): string => timeOf(nth).toISOString().replace('.000Z', 'Z');

const XERO_TIME = /^(.*Date|.*DateUTC|FullyPaidOnDate)$/;

const xeroRecord = (record: SimulatedRecord): SimulatedRecord =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      typeof value === 'number' && XERO_TIME.test(name) ? `/Date(${value}+0000)/` : value,
    ]),
  );

/** Requires `accept: application/json`, because the vendor returns XML by default. */
function xeroList(list: string, page = (records: readonly SimulatedRecord[]) => records): Respond {
  return ({ headers }, { records }) => {
    if (headers.accept !== 'application/json') throw new RejectedRequest('The response would be XML.');
    return ok({ Id: '1', Status: 'OK', [list]: page(records).map(xeroRecord) });
  };
}

function xero(list: string, hasSize = true): Respond {
  return (call, data) => {
    const size = hasSize ? numberOf(call, 'pageSize', 100) : PAGE_SIZE;
    return xeroList(list, () => pageAt(data, (numberOf(call, 'page', 1) - 1) * size, size).records)(call, data);
  };
}

/** `offset` is the number of the last journal of the previous page. */
const xeroJournals: Respond = (call, data) => {
  const after = call.url.searchParams.get('offset');
  const last = after === null ? -1 : data.records.findIndex(({ JournalNumber }) => `${JournalNumber}` === after);
  return xeroList('Journals', () => pageAt(data, last + 1, PAGE_SIZE).records)(call, data);
};

function braze(list: string, sent = (record: SimulatedRecord): unknown => record): Respond {
  return (call, data) => {
    const { records } = pageAt(data, numberOf(call, 'page', 0) * PAGE_SIZE, PAGE_SIZE);
    return ok({ [list]: records.map(sent), message: 'success' });
  };
}

const brazeWithArchived = (list: string): Respond => withParameters({ include_archived: 'true' }, braze(list));

/** Returns all days at once. Rejects requests that do not name the last day or do not ask for 100 days. */
function brazeSeries(of?: string): Respond {
  return withParameters({ length: '100' }, ({ url }, { records }) => {
    if (of && !/^[a-z_]+-\d$/.test(url.searchParams.get(of) ?? '')) throw new RejectedRequest(`Invalid ${of}.`);
    const end = url.searchParams.get('ending_at') ?? '';
    if (!/^\d{4}-\d\d-\d\d$/.test(end)) throw new RejectedRequest(`Invalid end: ${end}`);
    return ok({ message: 'success', data: records });
  });
}

const dayOf = (nth: number): string =>
  timeOf(nth * 24 * 60)
    .toISOString()
    .slice(0, 10);

export const FINANCE_DIALECTS: Readonly<Record<string, VendorDialect>> = {
  'braze/rest-api': {
    bases: ['https://rest.iad-01.braze.com'],
    pages: {
      'GET /campaigns/list': brazeWithArchived('campaigns'),
      'GET /canvas/list': brazeWithArchived('canvases'),
      'GET /segments/list': braze('segments'),
      'GET /feed/list': braze('cards'),
      'GET /events/list': braze('events', ({ event_name }) => event_name),
    },
    lists: {
      'GET /kpi/dau/data_series': brazeSeries(),
      'GET /kpi/new_users/data_series': brazeSeries(),
      'GET /kpi/uninstalls/data_series': brazeSeries(),
      'GET /campaigns/data_series': brazeSeries('campaign_id'),
      'GET /segments/data_series': brazeSeries('segment_id'),
      'GET /events/data_series': withParameters({ unit: 'day' }, brazeSeries('event')),
    },
    values: { time: dayOf },
  },
  'paypal/rest-api': {
    bases: ['https://api-m.paypal.com'],
    pages: {
      'GET /v1/reporting/transactions': paypalTransactions,
      'GET /v1/catalogs/products': paypal('products', 20),
      'GET /v1/billing/plans': paypal('plans', 20),
      'GET /v1/customer/disputes': paypalLinks('items'),
      'GET /v2/invoicing/invoices': paypal('items', 100),
      'GET /v2/invoicing/templates': paypal('templates', 100),
      'GET /v1/notifications/webhooks-events': paypalLinks('events'),
    },
    lists: {
      'GET /v1/reporting/balances': (_, { records }) => ok({ balances: records }),
      'GET /v1/notifications/webhooks': (_, { records }) => ok({ webhooks: records }),
    },
    values: { transaction_initiation_date: second, transaction_updated_date: second },
  },
  'xero/accounting-api': {
    bases: ['https://api.xero.com/api.xro/2.0'],
    pages: {
      'GET /Invoices': xero('Invoices'),
      'GET /Contacts': xero('Contacts'),
      'GET /BankTransactions': xero('BankTransactions'),
      'GET /Payments': xero('Payments'),
      'GET /CreditNotes': xero('CreditNotes'),
      'GET /Prepayments': xero('Prepayments'),
      'GET /Overpayments': xero('Overpayments'),
      'GET /PurchaseOrders': xero('PurchaseOrders'),
      'GET /Quotes': xero('Quotes', false),
      'GET /ManualJournals': xero('ManualJournals'),
      'GET /Journals': xeroJournals,
    },
    lists: {
      'GET /Accounts': xeroList('Accounts'),
      'GET /BankTransfers': xeroList('BankTransfers'),
      'GET /Items': xeroList('Items'),
      'GET /TaxRates': xeroList('TaxRates'),
      'GET /TrackingCategories': xeroList('TrackingCategories'),
      'GET /Users': xeroList('Users'),
    },
    values: {
      UpdatedDateUTC: (nth) => timeOf(nth).getTime(),
      CreatedDateUTC: (nth) => timeOf(nth).getTime(),
      JournalNumber: (nth) => nth + 1,
    },
  },
};
