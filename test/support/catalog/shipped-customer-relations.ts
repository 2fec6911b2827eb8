import { bearerKey, bearerToken, hasForm, hasHeaders, type RequestCheck, refreshByForm } from './shipped-checks.js';
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

const attioSays = (status: number, code: string) => ({ status_code: status, code, message: 'Something is wrong.' });
const attio = (check: RequestCheck): Scenario => ({
  call: 'GET https://api.attio.com/v2/self',
  check,
  good: aReply(200, { active: true, workspace_id: '1', workspace_name: 'Acme' }),
  identity: 'Acme',
  bad: aReply(401, attioSays(401, 'unauthorized')),
  forbidden: forbiddenReply(403, attioSays(403, 'insufficient_scopes')),
});

const brevoDenied = aReply(401, { code: 'unauthorized', message: 'Key not found' });

const closeDenied = aReply(401, { error: 'The server could not verify that you are authorized.' });
const close = (check: RequestCheck): Scenario => ({
  call: 'GET https://api.close.com/api/v1/me/',
  check,
  good: aReply(200, { id: 'user_1', email: 'ada@acme.test' }),
  identity: 'ada@acme.test',
  bad: closeDenied,
  forbidden: forbiddenReply(403, { error: 'You do not have permission to view this resource.' }),
});

const helpScout = {
  call: 'GET https://api.helpscout.net/v2/users/me',
  check: bearerToken(),
  good: aReply(200, { id: 1, email: 'ada@acme.test' }),
  identity: 'ada@acme.test',
  bad: aReply(401, { error: 'invalid_token' }),
  forbidden: forbiddenReply(403, { message: 'Forbidden' }),
};

const ownClient: RequestCheck = hasForm(({ config }) => ({
  grant_type: 'client_credentials',
  client_id: config.clientId ?? '',
  client_secret: config.clientSecret ?? '',
}));

export const CUSTOMER_RELATION_SCENARIOS: Scenarios = {
  'attio/rest-api/access-token': {
    ...attio(bearerKey('token')),
    expired: ambiguousReply('a deleted token can be reported as inactive', aReply(200, { active: false })),
  },
  'attio/rest-api/oauth': {
    ...attio(bearerToken()),
    exchange: { url: 'https://app.attio.com/oauth/token', check: refreshByForm, ...renewed },
    expiredExchange: expiredRefresh,
  },
  'brevo/rest-api/api-key': {
    call: 'GET https://api.brevo.com/v3/account',
    check: hasHeaders(({ apiKey = '' }) => ({ 'api-key': apiKey })),
    good: aReply(200, { email: 'ada@acme.test', companyName: 'Acme' }),
    identity: 'ada@acme.test',
    bad: brevoDenied,
    forbidden: forbiddenReply(403, { code: 'permission_denied', message: 'Permission denied' }),
    expired: ambiguousReply(sameAsWrong, brevoDenied),
  },
  'close/rest-api/api-key': {
    ...close(hasHeaders(({ apiKey = '' }) => ({ authorization: `Basic ${basicAuthorization(apiKey, '')}` }))),
    expired: ambiguousReply(sameAsWrong, closeDenied),
  },
  'close/rest-api/oauth': {
    ...close(bearerToken()),
    exchange: { url: 'https://api.close.com/oauth2/token/', check: refreshByForm, ...renewed },
    expiredExchange: expiredRefresh,
  },
  'help-scout/mailbox-api/client-credentials': {
    ...helpScout,
    exchange: {
      url: 'https://api.helpscout.net/v2/oauth2/token',
      check: ownClient,
      good: tokenReply(),
      bad: aReply(401, { error: 'invalid_client' }),
    },
    expiredExchange: ambiguousReply('a deleted app looks like a wrong one', aReply(401, { error: 'invalid_client' })),
  },
  'help-scout/mailbox-api/oauth': {
    ...helpScout,
    exchange: { url: 'https://api.helpscout.net/v2/oauth2/token', check: refreshByForm, ...renewed },
    expiredExchange: expiredRefresh,
  },
};
