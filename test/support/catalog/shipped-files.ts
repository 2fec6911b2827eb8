import { bearerToken, hasForm, hasHeaders, type RequestCheck, refreshByForm } from './shipped-checks.js';
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

const bitbucketSays = (message: string) => ({ type: 'error', error: { message } });
const bitbucket = (check: RequestCheck): Scenario => ({
  call: 'GET https://api.bitbucket.org/2.0/user',
  check,
  good: aReply(200, { type: 'user', display_name: 'Ada', uuid: '{1}' }),
  identity: 'Ada',
  bad: aReply(401, bitbucketSays('Token is invalid, expired, or not supported for this endpoint.')),
  forbidden: forbiddenReply(403, bitbucketSays('Your credentials lack one or more required privilege scopes.')),
});

const boxSays = (status: number, code: string) => ({ type: 'error', status, code, message: 'Something is wrong.' });
const box = {
  call: 'GET https://api.box.com/2.0/users/me',
  check: bearerToken(),
  good: aReply(200, { type: 'user', id: '1', login: 'ada@acme.test' }),
  identity: 'ada@acme.test',
  bad: aReply(401, boxSays(401, 'unauthorized')),
  forbidden: forbiddenReply(403, boxSays(403, 'access_denied_insufficient_permissions')),
};
const boxClientDenied = aReply(400, { error: 'invalid_client', error_description: 'The client is not valid.' });

export const FILE_SCENARIOS: Scenarios = {
  'bitbucket/cloud-api/api-token': {
    ...bitbucket(
      hasHeaders(({ email = '', apiToken = '' }) => ({
        authorization: `Basic ${basicAuthorization(email, apiToken)}`,
      })),
    ),
    expired: ambiguousReply('an expired token has the same response as a wrong one', bitbucket(bearerToken()).bad),
  },
  'bitbucket/cloud-api/oauth': {
    ...bitbucket(bearerToken()),
    exchange: { url: 'https://bitbucket.org/site/oauth2/access_token', check: refreshByForm, ...renewed },
    expiredExchange: expiredRefresh,
  },
  'box/rest-api/client-credentials': {
    ...box,
    exchange: {
      url: 'https://api.box.com/oauth2/token',
      check: hasForm(({ config }) => ({
        grant_type: 'client_credentials',
        client_id: config.clientId ?? '',
        client_secret: config.clientSecret ?? '',
        box_subject_type: 'enterprise',
        box_subject_id: config.enterpriseId ?? '',
      })),
      good: tokenReply(),
      bad: boxClientDenied,
    },
    expiredExchange: ambiguousReply('a deleted client has the same response as a wrong one', boxClientDenied),
  },
  'box/rest-api/oauth': {
    ...box,
    exchange: { url: 'https://api.box.com/oauth2/token', check: refreshByForm, ...renewed },
    expiredExchange: expiredRefresh,
  },
};
