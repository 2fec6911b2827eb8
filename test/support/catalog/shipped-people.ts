import { bearerToken, hasHeaders, type RequestCheck, refreshByBasic, refreshByForm } from './shipped-checks.js';
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
const json = { accept: 'application/json' };

const bamboohrDenied = aReply(401, { error: { code: 401, message: 'Unauthorized' } });
const bamboohr = (check: RequestCheck): Scenario => ({
  call: 'GET https://acme.bamboohr.com/api/v1/meta/fields',
  check,
  good: aReply(200, [{ id: 1, name: 'First name', type: 'text' }]),
  bad: bamboohrDenied,
  forbidden: forbiddenReply(403, { error: { code: 403, message: 'Forbidden' } }),
});

const gorgiasSays = (msg: string) => ({ error: { msg } });
const gorgiasDenied = aReply(401, gorgiasSays('Unauthorized'));
const gorgias = (check: RequestCheck): Scenario => ({
  call: 'GET https://acme.gorgias.com/api/account',
  check,
  good: aReply(200, { domain: 'acme' }),
  identity: 'acme',
  bad: gorgiasDenied,
  forbidden: forbiddenReply(403, gorgiasSays('Forbidden')),
});

export const PEOPLE_SCENARIOS: Scenarios = {
  'bamboohr/rest-api/api-key': {
    ...bamboohr(
      hasHeaders(({ apiKey = '' }) => ({ authorization: `Basic ${basicAuthorization(apiKey, 'x')}`, ...json })),
    ),
    expired: ambiguousReply(sameAsWrong, bamboohrDenied),
  },
  'bamboohr/rest-api/oauth': {
    ...bamboohr(bearerToken(json)),
    exchange: { url: 'https://acme.bamboohr.com/token.php?request=token', check: refreshByForm, ...renewed },
    expiredExchange: expiredRefresh,
  },
  'gorgias/rest-api/api-key': {
    ...gorgias(
      hasHeaders(({ email = '', apiKey = '' }) => ({ authorization: `Basic ${basicAuthorization(email, apiKey)}` })),
    ),
    expired: ambiguousReply(sameAsWrong, gorgiasDenied),
  },
  'gorgias/rest-api/oauth': {
    ...gorgias(bearerToken()),
    exchange: { url: 'https://acme.gorgias.com/oauth/token', check: refreshByBasic, ...renewed },
    expiredExchange: expiredRefresh,
  },
};
