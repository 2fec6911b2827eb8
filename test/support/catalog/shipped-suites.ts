import { bearerToken, hasForm, hasSignedJwt, refreshByForm } from './shipped-checks.js';
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

/** A service account that impersonates a user (domain-wide delegation). */
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

export const SUITE_SCENARIOS: Scenarios = { ...google, ...microsoft };
