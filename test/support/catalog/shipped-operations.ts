import { bearerKey, bearerToken, type RequestCheck, refreshByForm } from './shipped-checks.js';
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

const incidentDenied = aReply(401, { type: 'authentication_error', status: 401, errors: [] });

const postHogSays = (code: string) => ({ type: 'authentication_error', code, detail: 'Something is wrong.' });
const postHog = (check: RequestCheck): Scenario => ({
  call: 'GET https://us.posthog.com/api/organizations/',
  check,
  good: aReply(200, { count: 1, next: null, previous: null, results: [{ id: '1', name: 'Acme' }] }),
  identity: 'Acme',
  bad: aReply(401, postHogSays('authentication_failed')),
  forbidden: forbiddenReply(403, postHogSays('permission_denied')),
});

export const OPERATION_SCENARIOS: Scenarios = {
  'incident-io/rest-api/api-key': {
    call: 'GET https://api.incident.io/v1/identity',
    check: bearerKey('apiKey'),
    good: aReply(200, { identity: { name: 'Taproot', roles: [] } }),
    identity: 'Taproot',
    bad: incidentDenied,
    forbidden: forbiddenReply(403, { type: 'authorization_error', status: 403, errors: [] }),
    expired: ambiguousReply(sameAsWrong, incidentDenied),
  },
  'posthog/rest-api/personal-api-key': {
    ...postHog(bearerKey('apiKey')),
    expired: ambiguousReply(sameAsWrong, postHog(bearerToken()).bad),
  },
  'posthog/rest-api/oauth': {
    ...postHog(bearerToken()),
    exchange: {
      url: 'https://oauth.posthog.com/oauth/token/',
      check: refreshByForm,
      good: tokenReply({ refresh_token: 'rotated' }),
      bad: invalidGrant,
    },
    expiredExchange: expiredRefresh,
  },
};
