import { bearerKey, bearerToken, hasHeaders, type RequestCheck, refreshByForm } from './shipped-checks.js';
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

const sameAsWrong = 'a deleted key has the same response as a wrong one';
const renewed = { check: refreshByForm, good: tokenReply({ refresh_token: 'rotated' }), bad: invalidGrant };

const harvestDenied = aReply(401, { error: 'invalid_token', error_description: 'The token is not valid.' });
const harvest = (check: RequestCheck): Scenario => ({
  call: 'GET https://api.harvestapp.com/v2/users/me',
  check,
  good: aReply(200, { id: 1, email: 'ada@acme.test' }),
  identity: 'ada@acme.test',
  bad: harvestDenied,
  forbidden: forbiddenReply(403, { message: 'Forbidden' }),
});

const trelloDenied = aReply(401, 'invalid token');

const copperDenied = aReply(401, { success: false, status: 401, message: 'Unauthorized' });
const copper = (check: RequestCheck): Scenario => ({
  call: 'GET https://api.copper.com/developer_api/v1/account',
  check,
  good: aReply(200, { id: 1, name: 'Acme' }),
  identity: 'Acme',
  bad: copperDenied,
  forbidden: forbiddenReply(403, { success: false, status: 403, message: 'Forbidden' }),
});

const googleSays = (code: number, status: string) => ({ error: { code, message: 'Something is wrong.', status } });
const googleAds: Scenario = {
  call: 'GET https://googleads.googleapis.com/v26/customers:listAccessibleCustomers',
  check: hasHeaders(({ developerToken = '' }, token) => ({
    authorization: `Bearer ${token}`,
    'developer-token': developerToken,
  })),
  good: aReply(200, { resourceNames: ['customers/1234567890'] }),
  bad: aReply(401, googleSays(401, 'UNAUTHENTICATED')),
  forbidden: forbiddenReply(403, googleSays(403, 'PERMISSION_DENIED')),
  exchange: { url: 'https://oauth2.googleapis.com/token', ...renewed },
  expiredExchange: expiredRefresh,
};

/** Vendors whose requests have a header or a key in addition to the credential. */
export const ACCOUNT_HEADER_SCENARIOS: Scenarios = {
  'copper/developer-api/api-key': {
    ...copper(
      hasHeaders(({ apiKey = '', userEmail = '' }) => ({
        ...{ 'x-pw-accesstoken': apiKey, 'x-pw-application': 'developer_api', 'x-pw-useremail': userEmail },
      })),
    ),
    expired: ambiguousReply(sameAsWrong, copperDenied),
  },
  'copper/developer-api/oauth': {
    ...copper(bearerToken()),
    exchange: { url: 'https://app.copper.com/oauth/token', ...renewed },
    expiredExchange: expiredRefresh,
  },
  'google-ads/rest-api/oauth': googleAds,
  'harvest/rest-api/personal-token': {
    ...harvest(bearerKey('token', { 'harvest-account-id': '12345' })),
    expired: ambiguousReply(sameAsWrong, harvestDenied),
  },
  'harvest/rest-api/oauth': {
    ...harvest(bearerToken({ 'harvest-account-id': '12345' })),
    exchange: { url: 'https://id.getharvest.com/api/v2/oauth2/token', ...renewed },
    expiredExchange: expiredRefresh,
  },
  'trello/rest-api/key-and-token': {
    call: 'GET https://api.trello.com/1/members/me?fields=username',
    keyParameters: ['key', 'token'],
    check: ({ url: { searchParams } }, { config }) =>
      searchParams.get('key') === config.apiKey && searchParams.get('token') === config.token,
    good: aReply(200, { id: '1', username: 'ada' }),
    identity: 'ada',
    bad: trelloDenied,
    forbidden: forbiddenReply(403, 'unauthorized permission requested'),
    expired: ambiguousReply(sameAsWrong, trelloDenied),
  },
};
