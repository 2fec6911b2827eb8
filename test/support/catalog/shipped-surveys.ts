import { bearerKey, bearerToken, type RequestCheck, refreshByForm } from './shipped-checks.js';
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

const surveyMonkeySays = (id: string, status: number) => ({
  error: { docs: 'https://developer.surveymonkey.com', message: 'Something is wrong.', id, http_status_code: status },
});
const surveyMonkeyScopes = ['users_read', 'surveys_read'];
const surveyMonkey = (check: RequestCheck): Scenario => ({
  call: 'GET https://api.surveymonkey.com/v3/users/me',
  check,
  good: aReply(200, { username: 'ada', scopes: { available: [], granted: surveyMonkeyScopes } }),
  identity: 'ada',
  scopes: surveyMonkeyScopes,
  bad: aReply(401, surveyMonkeySays('1011', 401)),
  forbidden: forbiddenReply(403, surveyMonkeySays('1014', 403)),
  expired: expiredReply(401, surveyMonkeySays('1012', 401)),
});

const typeformSays = (code: string) => ({ code, description: 'Something is wrong.' });
const typeform = (check: RequestCheck): Scenario => ({
  call: 'GET https://api.typeform.com/me',
  check,
  good: aReply(200, { alias: 'Ada', email: 'ada@acme.test', language: 'en' }),
  identity: 'ada@acme.test',
  bad: aReply(401, typeformSays('AUTHENTICATION_FAILED')),
  forbidden: forbiddenReply(403, typeformSays('AUTHENTICATION_SCOPES')),
});

export const SURVEY_SCENARIOS: Scenarios = {
  'surveymonkey/rest-api/access-token': surveyMonkey(bearerKey('token')),
  'surveymonkey/rest-api/oauth': {
    ...surveyMonkey(bearerToken()),
    addressValues: { accessUrl: 'https://api.surveymonkey.com' },
  },
  'typeform/rest-api/personal-token': {
    ...typeform(bearerKey('token')),
    expired: ambiguousReply('a deleted token has the same response as a wrong one', typeform(bearerToken()).bad),
  },
  'typeform/rest-api/oauth': {
    ...typeform(bearerToken()),
    exchange: {
      url: 'https://api.typeform.com/oauth/token',
      check: refreshByForm,
      good: tokenReply({ refresh_token: 'rotated' }),
      bad: invalidGrant,
    },
    expiredExchange: expiredRefresh,
  },
};
