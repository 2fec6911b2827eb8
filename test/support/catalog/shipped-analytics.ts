import { bearerToken, hasHeaders, type RequestCheck, refreshByBasic } from './shipped-checks.js';
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

/** `user` and `password` are names of config fields. */
const pair = (user: string, password: string): RequestCheck =>
  hasHeaders((config) => ({
    authorization: `Basic ${basicAuthorization(config[user] ?? '', config[password] ?? '')}`,
  }));

const sameAsWrong = 'a deleted key has the same response as a wrong one';

const gongSays = (error: string) => ({ requestId: '1', errors: [error] });
const gong = (check: RequestCheck): Scenario => ({
  call: 'GET https://us-12345.api.gong.io/v2/users',
  check,
  good: aReply(200, { requestId: '1', records: { totalRecords: 1 }, users: [{ id: '1' }] }),
  bad: aReply(401, gongSays('Failed to verify access token')),
  forbidden: forbiddenReply(403, gongSays('The scope is missing')),
});

const mixpanelSays = (error: string) => ({ error, status: 'error' });
const mixpanelDenied = aReply(401, mixpanelSays('Invalid service account credentials'));
const mixpanel = {
  check: pair('username', 'password'),
  bad: mixpanelDenied,
  forbidden: forbiddenReply(403, mixpanelSays('The role lacks the permission')),
  expired: ambiguousReply(sameAsWrong, mixpanelDenied),
};

const amplitudeDenied = aReply(401, { error: { http_code: 401, type: 'invalid_credentials' } });

export const ANALYTICS_SCENARIOS: Scenarios = {
  'amplitude/rest-api/api-key': {
    call: 'GET https://amplitude.com/api/2/events/list',
    check: pair('apiKey', 'secretKey'),
    good: aReply(200, { data: [] }),
    bad: amplitudeDenied,
    forbidden: forbiddenReply(403, { error: { http_code: 403, type: 'forbidden' } }),
    expired: ambiguousReply(sameAsWrong, amplitudeDenied),
  },
  'gong/rest-api/access-key': {
    ...gong(pair('accessKey', 'accessKeySecret')),
    expired: ambiguousReply(sameAsWrong, gong(bearerToken()).bad),
  },
  'gong/rest-api/oauth': {
    ...gong(bearerToken()),
    addressValues: { apiBaseUrl: 'https://us-12345.api.gong.io' },
    exchange: {
      url: 'https://app.gong.io/oauth2/generate-customer-token',
      check: refreshByBasic,
      good: tokenReply({ refresh_token: 'rotated', api_base_url_for_customer: 'https://us-12345.api.gong.io' }),
      bad: invalidGrant,
    },
    expiredExchange: expiredRefresh,
  },
  'mixpanel/export-api/service-account': {
    ...mixpanel,
    call: 'GET https://data.mixpanel.com/api/2.0/export?project_id=12345&from_date=2020-01-01&to_date=2020-01-01&limit=1',
    good: aReply(200, ''),
  },
  'mixpanel/query-api/service-account': {
    ...mixpanel,
    call: 'GET https://mixpanel.com/api/app/me',
    good: aReply(200, { status: 'ok', results: { user_id: 1 } }),
  },
};
