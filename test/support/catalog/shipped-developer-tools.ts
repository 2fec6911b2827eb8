import {
  bearerKey,
  bearerToken,
  hasHeaders,
  type RequestCheck,
  refreshByBasic,
  refreshByForm,
  snowflakeKeyPair,
  tableauConnectedApp,
} from './shipped-checks.js';
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

const github = (check: RequestCheck): Scenario => ({
  call: 'GET https://api.github.com/user',
  check,
  good: aReply(200, { login: 'octocat', id: 1 }, { 'x-oauth-scopes': 'repo, read:org, read:user' }),
  identity: 'octocat',
  scopes: ['repo', 'read:org', 'read:user'],
  bad: aReply(401, { message: 'Bad credentials' }),
  forbidden: forbiddenReply(403, { message: 'Resource not accessible by personal access token' }),
  expired: ambiguousReply(
    'an expired token has the same response as a wrong one',
    aReply(401, { message: 'Bad credentials' }),
  ),
  limited: [
    aReply(403, { message: 'API rate limit exceeded for user ID 1.' }),
    aReply(403, 'You have exceeded a secondary rate limit'),
  ],
});
const githubVersion = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' };

const gitlabKey = hasHeaders(({ apiKey = '' }) => ({ 'private-token': apiKey }));
const gitlabOver = {
  error: 'invalid_token',
  error_description: 'Token is expired. You can either do re-authorization or token refresh.',
};
const gitlab = {
  bad: aReply(401, { message: '401 Unauthorized' }),
  forbidden: forbiddenReply(403, {
    error: 'insufficient_scope',
    error_description: 'The request requires higher privileges.',
  }),
};
const gitlabSelf: Omit<Scenario, 'call'> = {
  ...gitlab,
  check: gitlabKey,
  good: aReply(200, { id: 1, name: 'taproot', scopes: ['read_api'], active: true }),
  identity: 'taproot',
  scopes: ['read_api'],
  expired: expiredReply(401, gitlabOver),
};

const linearSays = (code: string) => ({ errors: [{ message: 'Something went wrong.', extensions: { code } }] });
const linear = {
  call: 'POST https://api.linear.app/graphql',
  good: aReply(200, { data: { viewer: { email: 'ada@acme.test' }, organization: { name: 'Acme' } } }),
  identity: 'ada@acme.test',
  bad: aReply(401, linearSays('AUTHENTICATION_ERROR')),
  forbidden: forbiddenReply(200, linearSays('FORBIDDEN')),
  limited: [aReply(400, linearSays('RATELIMITED')), aReply(200, linearSays('INTERNAL_SERVER_ERROR'))],
};

const metabase = {
  call: 'GET https://data.acme.test/api/user/current',
  good: aReply(200, { id: 1, email: 'ada@acme.test', common_name: 'Ada' }),
  bad: aReply(401, 'Unauthenticated'),
  forbidden: forbiddenReply(403, "You don't have permissions to do that."),
};

const snowflakeSays = (code: string) => ({ code, message: 'Something is wrong.' });
const snowflake = {
  call: 'POST https://acme-main.snowflakecomputing.com/api/v2/statements',
  good: aReply(200, { code: '090001', data: [['ADA']] }),
  identity: 'ADA',
  bad: aReply(401, snowflakeSays('390144')),
  forbidden: forbiddenReply(403, snowflakeSays('390317')),
};
const snowflakeToken = (type: string) => ({ 'x-snowflake-authorization-token-type': type });
const snowflakeOver = ambiguousReply(
  'an expired token has the same response as a wrong one',
  aReply(401, snowflakeSays('394400')),
);

const tableauSays = (code: string) => ({ error: { code, summary: 'Something is wrong', detail: '' } });
const tableauSignIn = 'https://tableau.acme.test/api/3.21/auth/signin';
const tableauGood = (token: string) => ({
  credentials: { token, site: { id: 'site-1', contentUrl: 'acme' }, user: { id: 'user-1' } },
});
const tableauRefused = aReply(401, tableauSays('401001'));

export const DEVELOPER_TOOL_SCENARIOS: Scenarios = {
  'datadog/datadog-api/two-keys': {
    call: 'GET https://api.datadoghq.com/api/v2/validate_keys',
    check: hasHeaders(({ apiKey = '', applicationKey = '' }) => ({
      'dd-api-key': apiKey,
      'dd-application-key': applicationKey,
    })),
    good: aReply(200, { status: 'ok' }),
    bad: aReply(403, { errors: ['Forbidden'] }),
    forbidden: ambiguousReply(
      'the key check requires no permission, and rejects all keys in the same way',
      aReply(403, { errors: ['Forbidden'] }),
    ),
    expired: ambiguousReply('a key never expires, but can be revoked', aReply(403, { errors: ['Forbidden'] })),
  },
  'github/rest-api/personal-access-token': github(bearerKey('token', githubVersion)),
  'github/rest-api/oauth-app': github(bearerToken(githubVersion)),
  'gitlab/rest-api/access-token': { ...gitlabSelf, call: 'GET https://gitlab.com/api/v4/personal_access_tokens/self' },
  'gitlab/rest-api/self-managed-access-token': {
    ...gitlabSelf,
    call: 'GET https://data.acme.test/api/v4/personal_access_tokens/self',
  },
  'gitlab/rest-api/oauth': {
    ...gitlab,
    call: 'GET https://gitlab.com/api/v4/user',
    check: bearerToken(),
    exchange: {
      url: 'https://gitlab.com/oauth/token',
      check: refreshByForm,
      good: tokenReply({ refresh_token: 'rotated' }),
      bad: invalidGrant,
    },
    good: aReply(200, { username: 'ada' }),
    identity: 'ada',
    expiredExchange: expiredRefresh,
  },
  'linear/graphql-api/api-key': {
    ...linear,
    check: hasHeaders(({ apiKey = '' }) => ({ authorization: apiKey, 'content-type': 'application/json' })),
    expired: ambiguousReply('a key never expires, but can be revoked', linear.bad),
  },
  'linear/graphql-api/oauth': {
    ...linear,
    check: bearerToken(),
    exchange: {
      url: 'https://api.linear.app/oauth/token',
      check: refreshByForm,
      good: tokenReply(),
      bad: invalidGrant,
    },
    expiredExchange: expiredRefresh,
  },
  'metabase/metabase-api/api-key': {
    ...metabase,
    check: hasHeaders(({ apiKey = '' }) => ({ 'x-api-key': apiKey })),
    identity: 'Ada',
    expired: ambiguousReply('a key never expires, but can be deleted', metabase.bad),
  },
  'metabase/metabase-api/password': {
    ...metabase,
    check: hasHeaders((_, token) => ({ 'x-metabase-session': token })),
    exchange: {
      url: 'https://data.acme.test/api/session',
      check: ({ body }, { config }) => {
        const { username, password } = JSON.parse(body);
        return username === config.username && password === config.password;
      },
      good: (id) => ({ id }),
      bad: aReply(400, { errors: { password: 'did not match stored password' } }),
    },
    identity: 'ada@acme.test',
    expired: ambiguousReply('a changed password has the same response as a wrong one', metabase.bad),
  },
  'snowflake/snowflake-account-usage/key-pair': { ...snowflake, check: snowflakeKeyPair, expired: snowflakeOver },
  'snowflake/snowflake-account-usage/access-token': {
    ...snowflake,
    check: bearerKey('accessToken', snowflakeToken('PROGRAMMATIC_ACCESS_TOKEN')),
    expired: snowflakeOver,
  },
  'snowflake/snowflake-account-usage/oauth': {
    ...snowflake,
    check: bearerToken(snowflakeToken('OAUTH')),
    exchange: {
      url: 'https://acme-main.snowflakecomputing.com/oauth/token-request',
      check: refreshByBasic,
      good: tokenReply(),
      bad: invalidGrant,
    },
    expired: expiredReply(401, snowflakeSays('390318')),
    expiredExchange: expiredRefresh,
  },
  'tableau/tableau-site/personal-access-token': {
    call: 'GET https://tableau.acme.test/api/3.21/sessions/current',
    check: hasHeaders((_, token) => ({ 'x-tableau-auth': token, accept: 'application/json' })),
    exchange: {
      url: tableauSignIn,
      check: ({ body }, { config }) => {
        const { personalAccessTokenName: name, personalAccessTokenSecret: secret, site } = JSON.parse(body).credentials;
        return name === config.tokenName && secret === config.tokenSecret && site.contentUrl === config.site;
      },
      good: tableauGood,
      bad: tableauRefused,
    },
    good: aReply(200, { session: { site: { id: 'site-1' }, user: { id: 'user-1', name: 'ada' } } }),
    identity: 'ada',
    bad: aReply(401, tableauSays('401002')),
    forbidden: forbiddenReply(403, tableauSays('403004')),
    expiredExchange: ambiguousReply('an expired token has the same response as a wrong one', tableauRefused),
  },
  'tableau/tableau-site/connected-app': {
    exchange: { url: tableauSignIn, check: tableauConnectedApp, good: tableauGood, bad: tableauRefused },
    good: aReply(200),
    bad: tableauRefused,
    forbidden: forbiddenReply(403, tableauSays('403004')),
    expiredExchange: ambiguousReply('a deleted secret has the same response as a wrong one', tableauRefused),
  },
};
