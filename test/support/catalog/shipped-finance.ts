import { bearerKey, bearerToken, clientCredentialsByBasic, refreshByBasic } from './shipped-checks.js';
import {
  ambiguousReply,
  aReply,
  expiredRefresh,
  forbiddenReply,
  invalidGrant,
  type Scenarios,
  tokenReply,
} from './shipped-scenario.js';

const invalidClient = aReply(401, { error: 'invalid_client', error_description: 'Client Authentication failed' });
const sameAsWrong = 'a deleted secret has the same response as a wrong one';

const xeroSays = (Title: string, Status: number) => ({ Title, Status, Detail: 'Something is wrong.' });
const xero = {
  check: bearerToken(),
  bad: aReply(401, xeroSays('Unauthorized', 401)),
  forbidden: forbiddenReply(403, xeroSays('Forbidden', 403)),
};

const brazeDenied = aReply(401, { message: 'Invalid API Key' });

export const FINANCE_SCENARIOS: Scenarios = {
  'braze/rest-api/api-key': {
    call: 'GET https://rest.iad-01.braze.com/campaigns/list?page=0',
    check: bearerKey('apiKey'),
    good: aReply(200, { campaigns: [], message: 'success' }),
    bad: brazeDenied,
    forbidden: forbiddenReply(403, { message: 'Forbidden' }),
    expired: ambiguousReply('a deleted key has the same response as a wrong one', brazeDenied),
  },
  'paypal/rest-api/client-credentials': {
    call: 'GET https://api-m.paypal.com/v1/notifications/webhooks-event-types',
    check: bearerToken(),
    good: aReply(200, { event_types: [] }),
    bad: aReply(401, { error: 'invalid_token', error_description: 'Token signature verification failed' }),
    forbidden: forbiddenReply(403, { name: 'NOT_AUTHORIZED', message: 'Something is wrong.' }),
    exchange: {
      url: 'https://api-m.paypal.com/v1/oauth2/token',
      check: clientCredentialsByBasic,
      good: tokenReply(),
      bad: invalidClient,
    },
    expiredExchange: ambiguousReply(sameAsWrong, invalidClient),
  },
  'xero/accounting-api/custom-connection': {
    ...xero,
    call: 'GET https://api.xero.com/api.xro/2.0/Organisation',
    good: aReply(200, { Organisations: [{ OrganisationID: '1', Name: 'Acme' }] }),
    identity: 'Acme',
    exchange: {
      url: 'https://identity.xero.com/connect/token',
      check: clientCredentialsByBasic,
      good: tokenReply(),
      bad: aReply(400, { error: 'invalid_client' }),
    },
    expiredExchange: ambiguousReply(sameAsWrong, aReply(400, { error: 'invalid_client' })),
  },
  'xero/accounting-api/oauth': {
    ...xero,
    call: 'GET https://api.xero.com/connections',
    good: aReply(200, [{ id: '1', tenantId: '2', tenantType: 'ORGANISATION', tenantName: 'Acme' }]),
    identity: 'Acme',
    exchange: {
      url: 'https://identity.xero.com/connect/token',
      check: refreshByBasic,
      good: tokenReply({ refresh_token: 'rotated' }),
      bad: invalidGrant,
    },
    expiredExchange: expiredRefresh,
  },
};
