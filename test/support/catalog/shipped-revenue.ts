import { bearerKey, bearerToken, hasHeaders, type RequestCheck, refreshByForm } from './shipped-checks.js';
import { basicAuthorization } from './shipped-configs.js';
import {
  ambiguousReply,
  aReply,
  expiredRefresh,
  forbiddenReply,
  invalidGrant,
  type Scenario,
  type Scenarios,
  tokenReply,
} from './shipped-scenario.js';

const renewed = { good: tokenReply({ refresh_token: 'rotated' }), bad: invalidGrant };
const sameAsWrong = 'a deleted key has the same response as a wrong one';

const outreachSays = (id: string) => ({ errors: [{ id, title: 'Something is wrong.' }] });

const paddleSays = (code: string) => ({ error: { type: 'request_error', code, detail: 'Something is wrong.' } });
const paddleDenied = aReply(403, paddleSays('invalid_token'));

const recurlySays = (type: string) => ({ error: { type, message: 'Something is wrong.' } });
const recurlyDenied = aReply(401, recurlySays('unauthorized'));

const salesloftDenied = aReply(401, { status: 401, error: 'Invalid Bearer token' });
const salesloft = (check: RequestCheck): Scenario => ({
  call: 'GET https://api.salesloft.com/v2/me',
  check,
  good: aReply(200, { data: { id: 1, email: 'ada@acme.test' } }),
  identity: 'ada@acme.test',
  bad: salesloftDenied,
  forbidden: forbiddenReply(403, { status: 403, error: 'Forbidden' }),
});

export const REVENUE_SCENARIOS: Scenarios = {
  'outreach/rest-api/oauth': {
    call: 'GET https://api.outreach.io/api/v2/users?count=false&page[size]=1',
    check: bearerToken(),
    good: aReply(200, { data: [{ type: 'user', id: 1 }] }),
    bad: aReply(401, outreachSays('unauthorized')),
    forbidden: forbiddenReply(403, outreachSays('unauthorizedOauthScope')),
    exchange: { url: 'https://api.outreach.io/oauth/token', check: refreshByForm, ...renewed },
    expiredExchange: expiredRefresh,
  },
  'paddle/billing-api/api-key': {
    call: 'GET https://api.paddle.com/products?per_page=1',
    check: bearerKey('apiKey', { 'paddle-version': '1' }),
    good: aReply(200, { data: [], meta: { request_id: '1' } }),
    bad: paddleDenied,
    forbidden: forbiddenReply(403, paddleSays('forbidden')),
    expired: ambiguousReply(sameAsWrong, paddleDenied),
  },
  'recurly/rest-api/api-key': {
    call: 'GET https://v3.recurly.com/sites',
    check: hasHeaders(({ apiKey = '' }) => ({
      accept: 'application/vnd.recurly.v2021-02-25',
      authorization: `Basic ${basicAuthorization(apiKey, '')}`,
    })),
    good: aReply(200, { object: 'list', has_more: false, data: [{ id: '1', subdomain: 'acme' }] }),
    identity: 'acme',
    bad: recurlyDenied,
    forbidden: forbiddenReply(403, recurlySays('forbidden')),
    expired: ambiguousReply(sameAsWrong, recurlyDenied),
  },
  'salesloft/rest-api/api-key': {
    ...salesloft(bearerKey('apiKey')),
    expired: ambiguousReply(sameAsWrong, salesloftDenied),
  },
  'salesloft/rest-api/oauth': {
    ...salesloft(bearerToken()),
    exchange: { url: 'https://accounts.salesloft.com/oauth/token', check: refreshByForm, ...renewed },
    expiredExchange: expiredRefresh,
  },
};
