import { bearerKey, hasHeaders } from './shipped-checks.js';
import { ambiguousReply, aReply, forbiddenReply, type Scenarios } from './shipped-scenario.js';

const sameAsWrong = 'a revoked token has the same response as a wrong one';

const buildkiteDenied = aReply(401, { message: 'Authentication required. Please supply a valid API Access Token' });
const launchDarklyDenied = aReply(401, { code: 'unauthorized', message: 'invalid or missing access token' });
const codaDenied = aReply(401, { statusCode: 401, statusMessage: 'Unauthorized', message: 'Unauthorized' });
const circleCiDenied = aReply(401, { message: 'You must log in first.' });
const statuspageDenied = aReply(401, { error: 'Could not authenticate' });

export const PLATFORM_SCENARIOS: Scenarios = {
  'buildkite/rest-api/api-access-token': {
    call: 'GET https://api.buildkite.com/v2/access-token',
    check: bearerKey('token'),
    good: aReply(200, { uuid: 'b63254c0', scopes: ['read_builds'], user: { email: 'ada@acme.test', name: 'Ada' } }),
    identity: 'ada@acme.test',
    scopes: ['read_builds'],
    bad: buildkiteDenied,
    forbidden: forbiddenReply(403, { message: 'Forbidden' }),
    expired: ambiguousReply(sameAsWrong, buildkiteDenied),
  },
  'launchdarkly/rest-api/access-token': {
    call: 'GET https://app.launchdarkly.com/api/v2/caller-identity',
    check: hasHeaders(({ accessToken = '' }) => ({ authorization: accessToken, 'ld-api-version': '20240415' })),
    good: aReply(200, { accountId: '1', tokenName: 'Taproot', authKind: 'token', serviceToken: true }),
    identity: 'Taproot',
    bad: launchDarklyDenied,
    forbidden: forbiddenReply(403, { code: 'forbidden', message: 'Access to the requested resource was denied' }),
    expired: ambiguousReply(sameAsWrong, launchDarklyDenied),
  },
  'coda/rest-api/api-token': {
    call: 'GET https://coda.io/apis/v1/whoami',
    check: bearerKey('token'),
    good: aReply(200, { name: 'Ada', loginId: 'ada@acme.test', type: 'user', scoped: false, tokenName: 'Taproot' }),
    identity: 'ada@acme.test',
    bad: codaDenied,
    forbidden: forbiddenReply(403, { statusCode: 403, statusMessage: 'Forbidden', message: 'Forbidden' }),
    expired: ambiguousReply(sameAsWrong, codaDenied),
  },
  'circleci/rest-api/personal-api-token': {
    call: 'GET https://circleci.com/api/v2/me',
    check: hasHeaders(({ token = '' }) => ({ 'circle-token': token })),
    good: aReply(200, { id: '11111111', login: 'ada', name: 'Ada' }),
    identity: 'ada',
    bad: circleCiDenied,
    forbidden: forbiddenReply(403, { message: 'Permission denied' }),
    expired: ambiguousReply('an expired token has the same response as a wrong one', circleCiDenied),
  },
  'statuspage/rest-api/api-key': {
    call: 'GET https://api.statuspage.io/v1/pages',
    check: hasHeaders(({ apiKey }) => ({ authorization: `OAuth ${apiKey}` })),
    good: aReply(200, [{ id: 'page-1', name: 'Acme' }]),
    identity: 'Acme',
    bad: statuspageDenied,
    forbidden: forbiddenReply(403, { error: 'Forbidden' }),
    expired: ambiguousReply(sameAsWrong, statuspageDenied),
  },
};
