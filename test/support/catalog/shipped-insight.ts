import { bearerKey, hasForm, hasHeaders } from './shipped-checks.js';
import { ambiguousReply, aReply, forbiddenReply, type Scenarios, tokenReply } from './shipped-scenario.js';

const sameAsWrong = 'a deleted key has the same response as a wrong one';

const anthropicSays = (type: string) => ({ type: 'error', error: { type, message: 'Something is wrong.' } });
const anthropicDenied = aReply(401, anthropicSays('authentication_error'));

const openaiSays = (code: string | null) => ({
  error: { message: 'Something is wrong.', type: 'invalid_request_error', param: null, code },
});
const openaiDenied = aReply(401, openaiSays('invalid_api_key'));

const lookerSays = (message: string) => ({ message, documentation_url: 'https://cloud.google.com/looker/docs/' });
const lookerDenied = aReply(404, lookerSays('Not found'));

export const INSIGHT_SCENARIOS: Scenarios = {
  'anthropic/admin-api/admin-key': {
    call: 'GET https://api.anthropic.com/v1/organizations/me',
    check: hasHeaders(({ adminKey = '' }) => ({ 'x-api-key': adminKey, 'anthropic-version': '2023-06-01' })),
    good: aReply(200, { id: '1', name: 'Acme', type: 'organization' }),
    identity: 'Acme',
    bad: anthropicDenied,
    forbidden: forbiddenReply(403, anthropicSays('permission_error')),
    expired: ambiguousReply(sameAsWrong, anthropicDenied),
    limited: [aReply(529, anthropicSays('overloaded_error'))],
  },
  'looker/rest-api/api-key': {
    call: 'GET https://data.acme.test/api/4.0/user',
    check: hasHeaders((_, accessToken) => ({ authorization: `token ${accessToken}` })),
    good: aReply(200, { id: '1', email: 'ada@acme.test' }),
    identity: 'ada@acme.test',
    bad: aReply(401, lookerSays('Requires authentication.')),
    forbidden: forbiddenReply(403, lookerSays('Forbidden')),
    exchange: {
      url: 'https://data.acme.test/api/4.0/login',
      check: hasForm(({ config: { clientId = '', clientSecret = '' } }) => ({
        client_id: clientId,
        client_secret: clientSecret,
      })),
      good: tokenReply(),
      bad: lookerDenied,
    },
    expiredExchange: ambiguousReply(sameAsWrong, lookerDenied),
  },
  'openai/admin-api/admin-key': {
    call: 'GET https://api.openai.com/v1/organization/users?limit=1',
    check: bearerKey('adminKey'),
    good: aReply(200, { object: 'list', data: [{ id: '1', email: 'ada@acme.test' }], has_more: false }),
    bad: openaiDenied,
    forbidden: forbiddenReply(403, openaiSays(null)),
    expired: ambiguousReply(sameAsWrong, openaiDenied),
  },
};
