import { bearerKey, bearerToken, hasHeaders, type RequestCheck, refreshByBasic } from './shipped-checks.js';
import { basicAuthorization } from './shipped-configs.js';
import {
  ambiguousReply,
  aReply,
  expiredRefresh,
  expiredReply,
  forbiddenReply,
  invalidGrant,
  type Scenario,
  type Scenarios,
  tokenReply,
} from './shipped-scenario.js';

const renewed = { good: tokenReply({ refresh_token: 'rotated' }), bad: invalidGrant };

const freshdeskDenied = aReply(401, { code: 'invalid_credentials', message: 'You have to be logged in.' });

const mailchimpSays = (status: number, title: string) => ({ type: 'about:blank', title, status, detail: title });
const mailchimp = (check: RequestCheck): Scenario => ({
  call: 'GET https://us6.api.mailchimp.com/3.0/',
  check,
  good: aReply(200, { account_id: '1', account_name: 'Acme' }),
  identity: 'Acme',
  bad: aReply(401, mailchimpSays(401, 'API Key Invalid')),
  forbidden: forbiddenReply(403, mailchimpSays(403, 'Forbidden')),
  expired: ambiguousReply(
    'a key never expires, but can be deleted',
    aReply(401, mailchimpSays(401, 'API Key Invalid')),
  ),
});

const front = (check: RequestCheck): Scenario => ({
  call: 'GET https://api2.frontapp.com/me',
  check,
  good: aReply(200, { _links: {}, id: 'cmp_1', name: 'Acme' }),
  identity: 'Acme',
  bad: aReply(401, { _error: { status: 401, title: 'Unauthenticated' } }),
  forbidden: forbiddenReply(403, { _error: { status: 403, title: 'Forbidden' } }),
});

const intercomSays = (code: string) => ({ type: 'error.list', errors: [{ code, message: 'Something is wrong.' }] });
const intercom = (check: RequestCheck): Scenario => ({
  call: 'GET https://api.intercom.io/me',
  check,
  good: aReply(200, { type: 'admin', email: 'ada@acme.test' }),
  identity: 'ada@acme.test',
  bad: aReply(401, intercomSays('unauthorized')),
  forbidden: forbiddenReply(401, intercomSays('token_unauthorized')),
  expired: expiredReply(401, intercomSays('token_expired')),
});
const intercomVersion = { 'intercom-version': '2.14' };

const klaviyoSays = (code: string) => ({ errors: [{ id: '1', code, title: 'Error', detail: 'Something is wrong.' }] });
const klaviyo = (check: RequestCheck): Scenario => ({
  call: 'GET https://a.klaviyo.com/api/accounts',
  check,
  good: aReply(200, { data: [{ attributes: { contact_information: { organization_name: 'Acme' } } }] }),
  identity: 'Acme',
  bad: aReply(401, klaviyoSays('not_authenticated')),
  forbidden: forbiddenReply(403, klaviyoSays('permission_denied')),
});
const klaviyoRevision = { revision: '2026-07-15' };

const sendgridSays = { errors: [{ field: null, message: 'authorization required' }] };
const sendgridScopes = ['suppression.read', 'marketing.read'];

export const CUSTOMER_SCENARIOS: Scenarios = {
  'freshdesk/rest-api/api-key': {
    call: 'GET https://acme.freshdesk.com/api/v2/agents/me',
    check: hasHeaders(({ apiKey = '' }) => ({ authorization: `Basic ${basicAuthorization(apiKey, 'X')}` })),
    good: aReply(200, { id: 1, contact: { email: 'ada@acme.test' } }),
    identity: 'ada@acme.test',
    bad: freshdeskDenied,
    forbidden: forbiddenReply(403, { code: 'access_denied', message: 'You are not authorized.' }),
    expired: ambiguousReply('a replaced key has the same response as a wrong one', freshdeskDenied),
  },
  'front/core-api/api-token': {
    ...front(bearerKey('token')),
    expired: ambiguousReply('a deleted token has the same response as a wrong one', front(bearerToken()).bad),
  },
  'front/core-api/oauth': {
    ...front(bearerToken()),
    exchange: { url: 'https://app.frontapp.com/oauth/token', check: refreshByBasic, ...renewed },
    expiredExchange: expiredRefresh,
  },
  'intercom/rest-api/access-token': intercom(bearerKey('accessToken', intercomVersion)),
  'intercom/rest-api/oauth': intercom(bearerToken(intercomVersion)),
  'klaviyo/rest-api/private-key': {
    ...klaviyo(hasHeaders(({ apiKey }) => ({ authorization: `Klaviyo-API-Key ${apiKey}`, ...klaviyoRevision }))),
    expired: ambiguousReply('a deleted key has the same response as a wrong one', klaviyo(bearerToken()).bad),
  },
  'klaviyo/rest-api/oauth': {
    ...klaviyo(bearerToken(klaviyoRevision)),
    exchange: { url: 'https://a.klaviyo.com/oauth/token', check: refreshByBasic, ...renewed },
    expiredExchange: expiredRefresh,
  },
  'mailchimp/marketing-api/api-key': mailchimp(hasHeaders(({ apiKey }) => ({ authorization: `apikey ${apiKey}` }))),
  'mailchimp/marketing-api/oauth': mailchimp(bearerToken()),
  'sendgrid/rest-api/api-key': {
    call: 'GET https://api.sendgrid.com/v3/scopes',
    check: bearerKey('apiKey'),
    good: aReply(200, { scopes: sendgridScopes }),
    scopes: sendgridScopes,
    bad: aReply(401, sendgridSays),
    forbidden: forbiddenReply(403, { errors: [{ field: null, message: 'access forbidden' }] }),
    expired: ambiguousReply('a deleted key has the same response as a wrong one', aReply(401, sendgridSays)),
  },
};
