import {
  bearerKey,
  bearerToken,
  hasHeaders,
  hasSignedJwt,
  type RequestCheck,
  refreshByForm,
} from './shipped-checks.js';
import { basicAuthorization } from './shipped-configs.js';
import {
  ambiguousReply,
  aReply,
  expiredReply,
  forbiddenReply,
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
    // RFC 6749 requires the status 400, but Atlassian sends 403.
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

export const WORKPLACE_SCENARIOS: Scenarios = {
  ...atlassian,
  ...okta,
  'notion/rest-api/integration-token': { ...notionCall, check: bearerKey('token', notionVersion) },
  'notion/rest-api/oauth': { ...notionCall, check: bearerToken(notionVersion) },
  'slack/web-api/bot-token': slackCall(bearerKey('token')),
  'slack/web-api/oauth': slackCall(bearerToken()),
};
