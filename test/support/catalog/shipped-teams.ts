import {
  bearerKey,
  bearerToken,
  hasHeaders,
  type RequestCheck,
  refreshByBasic,
  refreshByForm,
} from './shipped-checks.js';
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

const airtableSays = (type: string) => ({ error: { type, message: 'Something is wrong.' } });
const airtable = (check: RequestCheck): Scenario => ({
  call: 'GET https://api.airtable.com/v0/meta/whoami',
  check,
  good: aReply(200, { id: 'usr1', scopes: airtableScopes }),
  identity: 'usr1',
  bad: aReply(401, airtableSays('AUTHENTICATION_REQUIRED')),
  forbidden: forbiddenReply(403, airtableSays('INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND')),
});
const airtableScopes = ['schema.bases:read', 'data.records:read'];

const asanaSays = (message: string) => ({ errors: [{ message, help: 'See the documentation.' }] });
const asana = (check: RequestCheck): Scenario => ({
  call: 'GET https://app.asana.com/api/1.0/users/me',
  check,
  good: aReply(200, { data: { gid: '1', name: 'Ada', email: 'ada@acme.test' } }),
  identity: 'ada@acme.test',
  bad: aReply(401, asanaSays('Not Authorized')),
  forbidden: forbiddenReply(403, asanaSays('Forbidden')),
});

const monday = (check: RequestCheck): Scenario => ({
  call: 'POST https://api.monday.com/v2',
  check,
  good: aReply(200, { data: { me: { email: 'ada@acme.test' } } }),
  identity: 'ada@acme.test',
  bad: aReply(401, { errors: ['Not Authenticated'] }),
  forbidden: forbiddenReply(403, { errors: [{ message: 'User unauthorized to perform action' }] }),
  expired: ambiguousReply('a token never expires, but can be replaced', aReply(401, { errors: ['Not Authenticated'] })),
});
const mondayVersion = { 'api-version': '2026-10' };

const pagerdutySays = (code: number, message: string) => ({ error: { code, message } });
const pagerduty = {
  bad: aReply(401, pagerdutySays(2006, 'Unauthorized')),
  forbidden: forbiddenReply(403, pagerdutySays(2010, 'Access Denied')),
};
const pagerdutyVersion = { accept: 'application/vnd.pagerduty+json;version=2' };

const sentryDenied = aReply(401, { detail: 'Invalid token' });

export const TEAM_SCENARIOS: Scenarios = {
  'airtable/web-api/personal-access-token': {
    ...airtable(bearerKey('token')),
    expired: ambiguousReply('a deleted token has the same response as a wrong one', airtable(bearerToken()).bad),
  },
  'airtable/web-api/oauth': {
    ...airtable(bearerToken()),
    scopes: airtableScopes,
    exchange: { url: 'https://airtable.com/oauth2/v1/token', check: refreshByBasic, ...renewed },
    expiredExchange: expiredRefresh,
  },
  'asana/rest-api/personal-access-token': {
    ...asana(bearerKey('token')),
    expired: ambiguousReply('a deleted token has the same response as a wrong one', asana(bearerToken()).bad),
  },
  'asana/rest-api/oauth': {
    ...asana(bearerToken()),
    exchange: { url: 'https://app.asana.com/-/oauth_token', check: refreshByForm, ...renewed },
    expiredExchange: expiredRefresh,
  },
  'monday/platform-api/api-token': monday(bearerKey('token', mondayVersion)),
  'monday/platform-api/oauth': monday(bearerToken(mondayVersion)),
  'pagerduty/rest-api/api-key': {
    ...pagerduty,
    call: 'GET https://api.pagerduty.com/abilities',
    check: hasHeaders(({ apiKey }) => ({ authorization: `Token token=${apiKey}`, ...pagerdutyVersion })),
    good: aReply(200, { abilities: ['teams'] }),
    expired: ambiguousReply('a deleted key has the same response as a wrong one', pagerduty.bad),
  },
  'pagerduty/rest-api/oauth': {
    ...pagerduty,
    call: 'GET https://api.pagerduty.com/users/me',
    check: bearerToken(pagerdutyVersion),
    good: aReply(200, { user: { id: 'P1', email: 'ada@acme.test' } }),
    identity: 'ada@acme.test',
    exchange: { url: 'https://identity.pagerduty.com/oauth/token', check: refreshByForm, ...renewed },
    expiredExchange: expiredRefresh,
  },
  'sentry/rest-api/auth-token': {
    call: 'GET https://data.acme.test/api/0/organizations/',
    check: bearerKey('token'),
    good: aReply(200, [{ id: '1', slug: 'acme' }]),
    identity: 'acme',
    bad: sentryDenied,
    forbidden: forbiddenReply(403, { detail: 'You do not have permission to perform this action.' }),
    expired: ambiguousReply('a deleted token has the same response as a wrong one', sentryDenied),
  },
};
