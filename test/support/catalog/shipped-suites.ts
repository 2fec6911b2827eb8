import {
  bearerKey,
  bearerToken,
  hasForm,
  hasHeaders,
  hasSignedJwt,
  type RequestCheck,
  refreshByForm,
} from './shipped-checks.js';
import { basicAuthorization } from './shipped-configs.js';
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

const user = { accountId: '5b10', emailAddress: 'ada@acme.test', displayName: 'Ada' };
const atlassianCredentials = hasHeaders(({ email = '', apiToken = '' }) => ({
  authorization: `Basic ${basicAuthorization(email, apiToken)}`,
}));
const atlassianDenied = aReply(401, {
  message: 'Client must be authenticated to access this resource.',
  'status-code': 401,
});
const atlassianOauth = {
  check: bearerToken(),
  exchange: {
    url: 'https://auth.atlassian.com/oauth/token',
    check: refreshByForm,
    good: tokenReply({ scope: 'read:jira-work read:jira-user', refresh_token: 'rotated' }),
    // Not the 400 of RFC 6749.
    bad: aReply(403, { error: 'invalid_grant', error_description: 'Unknown or invalid refresh token.' }),
  },
  bad: aReply(401, { code: 401, message: 'Unauthorized' }),
  forbidden: forbiddenReply(401, { code: 401, message: 'Unauthorized; scope does not match' }),
  expiredExchange: expiredReply(403, {
    error: 'invalid_grant',
    error_description: 'Unknown or invalid refresh token.',
  }),
};
const cloud = 'https://api.atlassian.com/ex';
const cloudId = '11111111-2222-3333-4444-555555555555';

const atlassian: Scenarios = {
  'atlassian/jira-cloud/api-token': {
    call: 'GET https://acme.atlassian.net/rest/api/3/myself',
    check: atlassianCredentials,
    good: aReply(200, user),
    identity: 'ada@acme.test',
    bad: atlassianDenied,
    forbidden: forbiddenReply(403, { errorMessages: ['You do not have permission to view this.'] }),
    expired: ambiguousReply('an expired token has the same response as a wrong one', atlassianDenied),
  },
  'atlassian/jira-cloud/oauth': {
    ...atlassianOauth,
    call: `GET ${cloud}/jira/${cloudId}/rest/api/3/myself`,
    good: aReply(200, { ...user, emailAddress: '' }),
    identity: 'Ada',
  },
  'atlassian/confluence-cloud/api-token': {
    call: 'GET https://acme.atlassian.net/wiki/rest/api/user/current',
    check: atlassianCredentials,
    good: aReply(200, { type: 'known', email: 'ada@acme.test', displayName: 'Ada' }),
    identity: 'ada@acme.test',
    bad: aReply(200, { type: 'anonymous', displayName: 'Anonymous' }),
    forbidden: forbiddenReply(403, { statusCode: 403, message: 'Current user not permitted to use Confluence' }),
    expired: ambiguousReply('an expired token has the same response as a wrong one', atlassianDenied),
  },
  'atlassian/confluence-cloud/oauth': {
    ...atlassianOauth,
    call: `GET ${cloud}/confluence/${cloudId}/wiki/api/v2/spaces?limit=1`,
    good: aReply(200, { results: [], _links: {} }),
  },
};

const googleApi = {
  bad: aReply(401, { error: { code: 401, status: 'UNAUTHENTICATED', errors: [{ reason: 'authError' }] } }),
  forbidden: forbiddenReply(403, {
    error: { code: 403, errors: [{ domain: 'global', reason: 'insufficientPermissions' }] },
  }),
  limited: [
    aReply(403, { error: { code: 403, errors: [{ domain: 'usageLimits', reason: 'userRateLimitExceeded' }] } }),
    aReply(403, { error: { code: 403, errors: [{ domain: 'usageLimits', reason: 'quotaExceeded' }] } }),
  ],
};

/** A service account that impersonates a user. Its assertion contains the scopes. */
function delegated(call: string, scopes: string[], body: object, identity?: string): Scenario {
  const url = 'https://oauth2.googleapis.com/token';
  const scope = scopes.map((name) => `https://www.googleapis.com/auth/${name}`).join(' ');
  return {
    ...googleApi,
    call,
    check: bearerToken(),
    exchange: {
      url,
      check: hasSignedJwt('assertion', ({ clientEmail, delegatedUser }) => ({
        issuer: clientEmail,
        subject: delegatedUser,
        audience: url,
        algorithms: ['RS256'],
        claims: { scope },
        form: { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer' },
      })),
      good: tokenReply(),
      bad: aReply(400, { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' }),
    },
    good: aReply(200, body),
    identity,
    expired: ambiguousReply('a key never expires, but can be deleted', googleApi.bad),
  };
}

function googleSignIn(call: string, body: object, identity?: string): Scenario {
  const exchange = {
    url: 'https://oauth2.googleapis.com/token',
    check: refreshByForm,
    good: tokenReply(),
    bad: invalidGrant,
  };
  return {
    ...googleApi,
    call,
    check: bearerToken(),
    exchange,
    good: aReply(200, body),
    identity,
    expiredExchange: expiredRefresh,
  };
}

const directory = 'GET https://admin.googleapis.com/admin/directory/v1/users?customer=my_customer&maxResults=1';
const drive = 'GET https://www.googleapis.com/drive/v3/about?fields=user';
const ada = { user: { emailAddress: 'ada@acme.test' } };
const people = ['user', 'group', 'group.member', 'orgunit'].map((name) => `admin.directory.${name}.readonly`);
const users = 'admin.directory.user.readonly';

const google: Scenarios = {
  'google-workspace/directory/domain-wide-delegation': delegated(directory, people, { users: [] }),
  'google-workspace/directory/oauth': googleSignIn(directory, { users: [] }),
  'google-workspace/drive/domain-wide-delegation': delegated(
    drive,
    ['drive.metadata.readonly', 'drive.readonly'],
    ada,
    'ada@acme.test',
  ),
  'google-workspace/drive/oauth': googleSignIn(drive, ada, 'ada@acme.test'),
  'google-workspace/calendar/domain-wide-delegation': delegated(
    'GET https://www.googleapis.com/calendar/v3/users/me/calendarList/primary',
    [users, 'calendar.readonly'],
    { id: 'ada@acme.test' },
    'ada@acme.test',
  ),
  'google-workspace/gmail/domain-wide-delegation': delegated(
    'GET https://www.googleapis.com/gmail/v1/users/me/profile',
    [users, 'gmail.readonly'],
    { emailAddress: 'ada@acme.test' },
    'ada@acme.test',
  ),
};

const entra = 'https://login.microsoftonline.com/acme.onmicrosoft.test/oauth2/v2.0/token';
const graph = 'https://graph.microsoft.com/v1.0';
const graphApi = {
  check: bearerToken(),
  bad: aReply(401, { error: { code: 'InvalidAuthenticationToken', message: 'Access token validation failure.' } }),
  forbidden: forbiddenReply(403, {
    error: { code: 'Authorization_RequestDenied', message: 'Insufficient privileges.' },
  }),
};
const entraClient = hasForm(({ config }) => ({
  grant_type: 'client_credentials',
  client_id: config.clientId ?? '',
  client_secret: config.clientSecret ?? '',
  scope: 'https://graph.microsoft.com/.default',
}));

function microsoftApp(path: string, body: object, identity?: string): Scenario {
  const refused = (code: string, what: string) => ({ error: 'invalid_client', error_description: `${code}: ${what}` });
  return {
    ...graphApi,
    call: `GET ${graph}${path}`,
    exchange: {
      url: entra,
      check: entraClient,
      good: tokenReply(),
      bad: aReply(401, refused('AADSTS7000215', 'Invalid client secret provided.')),
    },
    good: aReply(200, body),
    identity,
    expired: expiredReply(401, {
      error: { code: 'InvalidAuthenticationToken', message: 'Lifetime validation failed, the token is expired.' },
    }),
    expiredExchange: expiredReply(401, refused('AADSTS7000222', 'The provided client secret keys are expired.')),
  };
}

const microsoft: Scenarios = {
  'microsoft/entra-id/client-credentials': microsoftApp(
    '/organization?$select=displayName',
    { value: [{ displayName: 'Acme' }] },
    'Acme',
  ),
  'microsoft/entra-id/oauth': {
    ...graphApi,
    call: `GET ${graph}/me`,
    exchange: {
      url: entra,
      check: refreshByForm,
      good: tokenReply({ refresh_token: 'rotated' }),
      bad: aReply(400, { error: 'invalid_grant', error_description: 'AADSTS70008: The refresh token has expired.' }),
    },
    good: aReply(200, { userPrincipalName: 'ada@acme.test' }),
    identity: 'ada@acme.test',
    expiredExchange: expiredReply(400, {
      error: 'invalid_grant',
      error_description: 'AADSTS70008: The refresh token has expired.',
    }),
  },
  'microsoft/outlook/client-credentials': microsoftApp('/users?$top=1&$select=userPrincipalName', { value: [] }),
  'microsoft/teams/client-credentials': microsoftApp('/teams?$top=1&$select=id', { value: [] }),
};

const oktaToken = 'https://acme.okta.test/oauth2/v1/token';
const oktaDenied = aReply(401, { errorCode: 'E0000011', errorSummary: 'Invalid token provided' });
const oktaForbidden = forbiddenReply(403, {
  errorCode: 'E0000006',
  errorSummary: 'You do not have permission to perform the requested action',
});

const okta: Scenarios = {
  'okta/okta-api/service-app': {
    call: 'GET https://acme.okta.test/api/v1/users?limit=1',
    check: bearerToken(),
    exchange: {
      url: oktaToken,
      check: hasSignedJwt('client_assertion', ({ clientId }) => ({
        issuer: clientId,
        subject: clientId,
        audience: oktaToken,
        form: {
          grant_type: 'client_credentials',
          scope: 'okta.users.read okta.groups.read okta.apps.read okta.logs.read',
        },
      })),
      good: tokenReply({ scope: 'okta.users.read okta.groups.read okta.apps.read okta.logs.read' }),
      bad: aReply(401, { error: 'invalid_client', error_description: 'The client_assertion signature is invalid.' }),
    },
    good: aReply(200, []),
    bad: oktaDenied,
    forbidden: oktaForbidden,
    expired: ambiguousReply('a key never expires, but can be deleted', oktaDenied),
  },
  'okta/okta-api/api-token': {
    call: 'GET https://acme.okta.test/api/v1/users/me',
    check: hasHeaders(({ apiToken }) => ({ authorization: `SSWS ${apiToken}` })),
    good: aReply(200, { profile: { login: 'ada@acme.test' } }),
    identity: 'ada@acme.test',
    bad: oktaDenied,
    forbidden: oktaForbidden,
    expired: ambiguousReply('a token that was unused for 30 days has the same response as a wrong one', oktaDenied),
  },
};

const notionVersion = { 'notion-version': '2025-09-03' };
const notionCall = {
  call: 'GET https://api.notion.com/v1/users/me',
  good: aReply(200, { object: 'user', name: 'Taproot', bot: { workspace_name: 'Acme' } }),
  identity: 'Acme',
  bad: aReply(401, { object: 'error', status: 401, code: 'unauthorized', message: 'API token is invalid.' }),
  forbidden: forbiddenReply(403, { object: 'error', status: 403, code: 'restricted_resource' }),
  expired: ambiguousReply(
    'a token never expires, but can be revoked',
    aReply(401, { object: 'error', status: 401, code: 'unauthorized' }),
  ),
};

const slackSays = (error: string) => ({ ok: false, error });
const slackCall = (check: RequestCheck): Scenario => ({
  call: 'POST https://slack.com/api/auth.test',
  check,
  good: aReply(200, { ok: true, team: 'Acme', user: 'ada' }, { 'x-oauth-scopes': 'channels:read,users:read' }),
  identity: 'Acme / ada',
  scopes: ['channels:read', 'users:read'],
  bad: aReply(200, slackSays('invalid_auth')),
  forbidden: forbiddenReply(200, slackSays('missing_scope')),
  expired: expiredReply(200, slackSays('token_expired')),
  limited: [aReply(200, slackSays('ratelimited')), aReply(200, slackSays('fatal_error'))],
});

export const SUITE_SCENARIOS: Scenarios = {
  ...atlassian,
  ...google,
  ...microsoft,
  ...okta,
  'notion/rest-api/integration-token': { ...notionCall, check: bearerKey('token', notionVersion) },
  'notion/rest-api/oauth': { ...notionCall, check: bearerToken(notionVersion) },
  'slack/web-api/bot-token': slackCall(bearerKey('token')),
  'slack/web-api/oauth': slackCall(bearerToken()),
};
