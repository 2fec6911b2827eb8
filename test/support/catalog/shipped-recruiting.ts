import {
  bearerToken,
  clientCredentialsByBasic,
  hasForm,
  hasHeaders,
  type RequestCheck,
  refreshByBasic,
  refreshByForm,
} from './shipped-checks.js';
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

const keyAsUser = (more: Record<string, string> = {}): RequestCheck =>
  hasHeaders(({ apiKey = '' }) => ({ authorization: `Basic ${basicAuthorization(apiKey, '')}`, ...more }));

const ashbyScopes = ['candidates:read', 'jobs:read'];
const ashbySays = (error: string) => ({ success: false, errors: [error] });
const ashbyDenied = aReply(403, ashbySays('The API key is not valid.'));

const leverSays = (code: string) => ({ code, message: 'Something is wrong.' });
const leverDenied = aReply(401, leverSays('Unauthorized'));
const lever = (check: RequestCheck): Scenario => ({
  call: 'GET https://api.lever.co/v1/users?limit=1',
  check,
  good: aReply(200, { data: [{ id: '1', email: 'ada@acme.test' }], hasNext: false }),
  bad: leverDenied,
  forbidden: forbiddenReply(403, leverSays('Forbidden')),
});

const greenhouse = {
  call: 'GET https://harvest.greenhouse.io/v3/users?per_page=1',
  check: bearerToken(),
  good: aReply(200, [{ id: 1, primary_email: 'ada@acme.test' }]),
  forbidden: forbiddenReply(403, { message: 'Forbidden' }),
};
/** Greenhouse returns `expires_at` instead of `expires_in`. */
const greenhouseToken = (more: object = {}) =>
  tokenReply({ expires_in: undefined, expires_at: '2026-12-25T00:00:00+0000', ...more });

export const RECRUITING_SCENARIOS: Scenarios = {
  'ashby/rest-api/api-key': {
    call: 'POST https://api.ashbyhq.com/apiKey.info',
    check: keyAsUser({ accept: 'application/json; version=1' }),
    good: aReply(200, { success: true, results: { title: 'Taproot', scopes: ashbyScopes } }),
    identity: 'Taproot',
    scopes: ashbyScopes,
    bad: ashbyDenied,
    forbidden: forbiddenReply(403, ashbySays('missing_endpoint_permission')),
    expired: ambiguousReply('a deactivated key has the same status as a wrong one', ashbyDenied),
  },
  'greenhouse/harvest-api/client-credentials': {
    ...greenhouse,
    exchange: {
      url: 'https://auth.greenhouse.io/token',
      check: clientCredentialsByBasic,
      good: greenhouseToken(),
      bad: aReply(400, { error: 'invalid_client' }),
    },
    bad: aReply(401, { message: 'Unauthorized' }),
    expiredExchange: ambiguousReply(
      'a deleted client looks like a wrong one',
      aReply(401, { error: 'invalid_client' }),
    ),
  },
  'greenhouse/harvest-api/oauth': {
    ...greenhouse,
    exchange: {
      url: 'https://auth.greenhouse.io/token',
      check: refreshByBasic,
      good: greenhouseToken({ refresh_token: 'rotated' }),
      bad: invalidGrant,
    },
    bad: aReply(401, { message: 'Unauthorized' }),
    expiredExchange: expiredRefresh,
  },
  'lever/rest-api/api-key': {
    ...lever(keyAsUser()),
    expired: ambiguousReply('a deleted key has the same response as a wrong one', leverDenied),
  },
  'lever/rest-api/oauth': {
    ...lever(bearerToken()),
    exchange: {
      url: 'https://auth.lever.co/oauth/token',
      check: async (call, known) =>
        (await refreshByForm(call, known)) && hasForm(() => ({ audience: 'https://api.lever.co/v1/' }))(call, known),
      ...renewed,
    },
    expiredExchange: expiredRefresh,
  },
};
