import { bearerToken, hasHeaders, type RequestCheck, refreshByForm } from './shipped-checks.js';
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

const says = (message: string) => ({ error: { message, detail: null }, status: 'failure' });
const denied = aReply(401, says('User Not Authenticated'));

const servicenow = (check: RequestCheck): Scenario => ({
  call: 'GET https://data.acme.test/api/now/table/sys_user_role?sysparm_limit=1',
  check,
  good: aReply(200, { result: [{ sys_id: '1' }] }),
  bad: denied,
  forbidden: forbiddenReply(403, says('Insufficient rights to query records')),
});

export const SERVICE_DESK_SCENARIOS: Scenarios = {
  'servicenow/table-api/oauth': {
    ...servicenow(bearerToken()),
    exchange: {
      url: 'https://data.acme.test/oauth_token.do',
      check: refreshByForm,
      good: tokenReply({ refresh_token: 'rotated' }),
      bad: invalidGrant,
    },
    expiredExchange: expiredRefresh,
  },
  'servicenow/table-api/password': {
    ...servicenow(
      hasHeaders(({ username = '', password = '' }) => ({
        authorization: `Basic ${basicAuthorization(username, password)}`,
      })),
    ),
    expired: ambiguousReply('an expired password has the same response as a wrong one', denied),
  },
};
