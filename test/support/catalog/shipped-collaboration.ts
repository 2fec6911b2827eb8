import {
  bearerKey,
  bearerToken,
  hasForm,
  hasHeaders,
  type RequestCheck,
  refreshByBasic,
  refreshByForm,
  withClientBasic,
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
const sameAsWrong = 'a deleted token has the same response as a wrong one';

const calendlySays = (title: string) => ({ title, message: 'Something is wrong.' });
const calendly = (check: RequestCheck): Scenario => ({
  call: 'GET https://api.calendly.com/users/me',
  check,
  good: aReply(200, { resource: { uri: 'https://api.calendly.com/users/1', email: 'ada@acme.test' } }),
  identity: 'ada@acme.test',
  bad: aReply(401, calendlySays('Unauthenticated')),
  forbidden: forbiddenReply(403, calendlySays('Permission Denied')),
});

const clickUpDenied = aReply(401, { err: 'Token invalid', ECODE: 'OAUTH_025' });
const clickUp = (check: RequestCheck): Scenario => ({
  call: 'GET https://api.clickup.com/api/v2/user',
  check,
  good: aReply(200, { user: { id: 1, email: 'ada@acme.test' } }),
  identity: 'ada@acme.test',
  bad: clickUpDenied,
  forbidden: forbiddenReply(403, { err: 'Forbidden', ECODE: 'OAUTH_027' }),
  expired: ambiguousReply(sameAsWrong, clickUpDenied),
});

const figmaDenied = aReply(403, { status: 403, err: 'Invalid token' });

const smartsheetSays = (errorCode: number) => ({ errorCode, message: 'Something is wrong.', refId: '1' });
const smartsheet = (check: RequestCheck): Scenario => ({
  call: 'GET https://api.smartsheet.com/2.0/users/me',
  check,
  good: aReply(200, { id: 1, email: 'ada@acme.test' }),
  identity: 'ada@acme.test',
  bad: aReply(401, smartsheetSays(1002)),
  forbidden: forbiddenReply(403, smartsheetSays(1004)),
});

/** Toggl returns 403, not 401, for a wrong token. */
const togglDenied = aReply(403, 'Incorrect username and/or password');

const webflowSays = (code: string) => ({ code, message: 'Something is wrong.' });
const webflow = (check: RequestCheck) => ({
  check,
  bad: aReply(401, webflowSays('not_authorized')),
  forbidden: forbiddenReply(403, webflowSays('missing_scopes')),
  expired: ambiguousReply(sameAsWrong, aReply(401, webflowSays('not_authorized'))),
});

const zoomSays = (code: number) => ({ code, message: 'Something is wrong.' });
const zoom = {
  call: 'GET https://api.zoom.us/v2/users/me',
  check: bearerToken(),
  good: aReply(200, { id: '1', email: 'ada@acme.test' }),
  identity: 'ada@acme.test',
  bad: aReply(401, zoomSays(124)),
  forbidden: forbiddenReply(400, zoomSays(4711)),
};

const zoomAccount = withClientBasic(
  hasForm(({ config: { accountId = '' } }) => ({ grant_type: 'account_credentials', account_id: accountId })),
);

export const COLLABORATION_SCENARIOS: Scenarios = {
  'calendly/rest-api/personal-access-token': {
    ...calendly(bearerKey('token')),
    expired: ambiguousReply(sameAsWrong, calendly(bearerToken()).bad),
  },
  'calendly/rest-api/oauth': {
    ...calendly(bearerToken()),
    exchange: { url: 'https://auth.calendly.com/oauth/token', check: refreshByBasic, ...renewed },
    expiredExchange: expiredRefresh,
  },
  'clickup/rest-api/personal-token': clickUp(hasHeaders(({ token = '' }) => ({ authorization: token }))),
  'clickup/rest-api/oauth': clickUp(bearerToken()),
  'figma/rest-api/personal-access-token': {
    call: 'GET https://api.figma.com/v1/me',
    check: hasHeaders(({ token = '' }) => ({ 'x-figma-token': token })),
    good: aReply(200, { id: '1', handle: 'Ada', email: 'ada@acme.test' }),
    identity: 'ada@acme.test',
    bad: figmaDenied,
    forbidden: ambiguousReply('a missing scope has the same status as a wrong token', figmaDenied),
    expired: ambiguousReply('an expired token has the same status as a wrong one', figmaDenied),
  },
  'smartsheet/rest-api/access-token': {
    ...smartsheet(bearerKey('token')),
    expired: ambiguousReply('an expired token has the same status as a wrong one', aReply(401, smartsheetSays(1003))),
  },
  'smartsheet/rest-api/oauth': {
    ...smartsheet(bearerToken()),
    exchange: { url: 'https://api.smartsheet.com/2.0/token', check: refreshByForm, ...renewed },
    expiredExchange: expiredRefresh,
  },
  'toggl-track/rest-api/api-token': {
    call: 'GET https://api.track.toggl.com/api/v9/me',
    check: hasHeaders(({ apiToken = '' }) => ({ authorization: `Basic ${basicAuthorization(apiToken, 'api_token')}` })),
    good: aReply(200, { id: 1, email: 'ada@acme.test' }),
    identity: 'ada@acme.test',
    bad: togglDenied,
    forbidden: ambiguousReply('a missing permission has the same status as a wrong token', togglDenied),
    expired: ambiguousReply('a replaced token has the same response as a wrong one', togglDenied),
  },
  'webflow/data-api/site-token': {
    ...webflow(bearerKey('token')),
    call: 'GET https://api.webflow.com/v2/sites',
    good: aReply(200, { sites: [{ id: '1', displayName: 'Acme' }] }),
    identity: 'Acme',
  },
  'webflow/data-api/oauth': {
    ...webflow(bearerToken()),
    call: 'GET https://api.webflow.com/v2/token/authorized_by',
    good: aReply(200, { id: '1', email: 'ada@acme.test' }),
    identity: 'ada@acme.test',
  },
  'zoom/rest-api/server-to-server': {
    ...zoom,
    exchange: {
      url: 'https://zoom.us/oauth/token',
      check: zoomAccount,
      good: tokenReply(),
      bad: aReply(400, { error: 'invalid_client', reason: 'Invalid client_id or client_secret' }),
    },
    expiredExchange: ambiguousReply(
      'a deleted client looks like a wrong one',
      aReply(400, { error: 'invalid_client', reason: 'Invalid client_id or client_secret' }),
    ),
  },
  'zoom/rest-api/oauth': {
    ...zoom,
    exchange: { url: 'https://zoom.us/oauth/token', check: refreshByBasic, ...renewed },
    expiredExchange: expiredRefresh,
  },
};
