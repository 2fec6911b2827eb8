import {
  bearerKey,
  bearerToken,
  hasForm,
  hasHeaders,
  hasSignedJwt,
  netsuiteTokens,
  type RequestCheck,
  refreshByBasic,
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

const hubspotSays = (category: string) => ({ status: 'error', category, message: 'Something is wrong.' });
const hubspot = {
  call: 'GET https://api.hubapi.com/account-info/v3/details',
  good: aReply(200, { portalId: 62515, accountType: 'STANDARD' }),
  identity: '62515',
  bad: aReply(401, hubspotSays('INVALID_AUTHENTICATION')),
  forbidden: forbiddenReply(403, hubspotSays('MISSING_SCOPES')),
};

const netsuiteHost = 'https://acme-main.suitetalk.api.netsuite.com/services/rest';
const netsuiteSays = (detail: string) => ({ title: 'Error', 'o:errorDetails': [{ detail }] });
const netsuite = {
  call: `POST ${netsuiteHost}/query/v1/suiteql?limit=1`,
  good: aReply(200, { items: [], count: 0, hasMore: false }),
  bad: aReply(401, netsuiteSays('Invalid login attempt.')),
  forbidden: forbiddenReply(400, netsuiteSays("Invalid search query. Record 'customer' was not found.")),
  expired: ambiguousReply(
    'a token never expires, but can be revoked',
    aReply(401, netsuiteSays('Invalid login attempt.')),
  ),
};

const pipedrive = {
  good: aReply(200, { success: true, data: { email: 'ada@acme.test' } }),
  identity: 'ada@acme.test',
  bad: aReply(401, { success: false, error: 'unauthorized access' }),
  forbidden: forbiddenReply(403, { success: false, error: 'Scope and URL mismatch' }),
};

const salesforceToken = 'https://login.salesforce.com/services/oauth2/token';
const salesforceReply = tokenReply({
  instance_url: 'https://acme.my.salesforce.com',
  scope: 'api refresh_token',
  expires_in: undefined,
});
const salesforceSays = (errorCode: string) => [{ message: 'Something is wrong.', errorCode }];
const salesforceOver = { error: 'invalid_grant', error_description: 'expired access/refresh token' };
const salesforce = {
  call: 'GET https://acme.my.salesforce.com/services/data/v62.0/',
  check: bearerToken(),
  addressValues: { instanceUrl: 'https://acme.my.salesforce.com' },
  good: aReply(200, { identity: 'https://login.salesforce.com/id/00D/005', sobjects: '/services/data/v62.0/sobjects' }),
  identity: 'https://login.salesforce.com/id/00D/005',
  bad: aReply(401, salesforceSays('INVALID_SESSION_ID')),
  forbidden: forbiddenReply(403, salesforceSays('API_DISABLED_FOR_ORG')),
  limited: [aReply(403, salesforceSays('REQUEST_LIMIT_EXCEEDED'))],
};
const salesforceRefresh = { url: salesforceToken, check: refreshByForm, good: salesforceReply };

const shopifySays = (code: string) => ({ errors: [{ message: 'Something is wrong.', extensions: { code } }] });
const shopifyScopes = ['read_orders', 'read_products', 'read_customers', 'read_locations', 'read_inventory'];
const accessScopes = shopifyScopes.map((handle) => ({ handle }));
const shopifyDenied = aReply(401, {
  errors: '[API] Invalid API key or access token (unrecognized login or wrong password)',
});
const shopify = (check: RequestCheck): Scenario => ({
  call: 'POST https://acme.myshopify.com/admin/api/2026-10/graphql.json',
  check,
  good: aReply(200, { data: { shop: { name: 'Acme' }, currentAppInstallation: { accessScopes } } }),
  identity: 'Acme',
  scopes: shopifyScopes,
  bad: shopifyDenied,
  forbidden: forbiddenReply(200, shopifySays('ACCESS_DENIED')),
  expired: ambiguousReply('an expired token has the same response as a wrong one', shopifyDenied),
  limited: [aReply(200, shopifySays('THROTTLED'))],
});
const shopifyToken = hasHeaders((_, token) => ({ 'x-shopify-access-token': token }));

const stripe = (check: RequestCheck): Scenario => ({
  call: 'GET https://api.stripe.com/v1/balance',
  check,
  good: aReply(200, { object: 'balance', available: [] }),
  bad: aReply(401, { error: { type: 'invalid_request_error', message: 'Invalid API Key provided: sk_live_****' } }),
  forbidden: forbiddenReply(403, {
    error: { type: 'invalid_request_error', message: 'The key does not have the required permissions.' },
  }),
  expired: expiredReply(401, { error: { type: 'invalid_request_error', code: 'api_key_expired' } }),
});

const zendeskDenied = aReply(401, { error: "Couldn't authenticate you" });
const zendesk = (check: RequestCheck): Scenario => ({
  call: 'GET https://acme.zendesk.com/api/v2/users/me.json',
  check,
  good: aReply(200, { user: { id: 1, email: 'ada@acme.test' } }),
  identity: 'ada@acme.test',
  // Zendesk treats a request with an invalid credential as anonymous.
  bad: aReply(200, { user: { id: null, name: 'Anonymous user' } }),
  forbidden: forbiddenReply(403, { error: 'Forbidden', description: 'You are missing the following scopes.' }),
  expired: ambiguousReply('an expired token has the same response as a wrong one', zendeskDenied),
});

export const BUSINESS_SCENARIOS: Scenarios = {
  'hubspot/hubspot-crm/private-app': {
    ...hubspot,
    check: bearerKey('accessToken'),
    expired: expiredReply(401, hubspotSays('EXPIRED_AUTHENTICATION')),
  },
  'hubspot/hubspot-crm/oauth': {
    ...hubspot,
    check: bearerToken(),
    exchange: {
      url: 'https://api.hubapi.com/oauth/v1/token',
      check: refreshByForm,
      good: tokenReply({ refresh_token: 'same' }),
      bad: aReply(400, { status: 'BAD_REFRESH_TOKEN', message: 'missing or invalid refresh token' }),
    },
    expiredExchange: expiredReply(400, { status: 'BAD_REFRESH_TOKEN', message: 'missing or invalid refresh token' }),
  },
  'netsuite/netsuite-suiteql/client-credentials': {
    ...netsuite,
    check: bearerToken({ prefer: 'transient' }),
    exchange: {
      url: `${netsuiteHost}/auth/oauth2/v1/token`,
      check: hasSignedJwt('client_assertion', ({ clientId }) => ({
        issuer: clientId,
        audience: `${netsuiteHost}/auth/oauth2/v1/token`,
        algorithms: ['PS256'],
        claims: { scope: 'rest_webservices' },
        form: { grant_type: 'client_credentials' },
      })),
      good: tokenReply({ expires_in: '3600' }),
      bad: aReply(400, { error: 'invalid_grant' }),
    },
  },
  'netsuite/netsuite-suiteql/token-based': { ...netsuite, check: netsuiteTokens },
  'pipedrive/pipedrive-crm/oauth': {
    ...pipedrive,
    call: 'GET https://acme.pipedrive.com/api/v1/users/me',
    check: bearerToken(),
    addressValues: { apiDomain: 'https://acme.pipedrive.com' },
    exchange: {
      url: 'https://oauth.pipedrive.com/oauth/token',
      check: refreshByBasic,
      good: tokenReply({ api_domain: 'https://acme.pipedrive.com', scope: 'base,deals:read' }),
      bad: invalidGrant,
    },
    expiredExchange: expiredRefresh,
  },
  'pipedrive/pipedrive-crm/api-token': {
    ...pipedrive,
    call: 'GET https://acme.pipedrive.com/api/v1/users/me',
    check: hasHeaders(({ apiToken = '' }) => ({ 'x-api-token': apiToken })),
    expired: ambiguousReply('a replaced token has the same response as a wrong one', pipedrive.bad),
  },
  'salesforce/salesforce-crm/jwt-bearer': {
    ...salesforce,
    exchange: {
      url: salesforceToken,
      check: hasSignedJwt('assertion', ({ clientId, subject }) => ({
        issuer: clientId,
        subject,
        audience: 'https://login.salesforce.com',
        algorithms: ['RS256'],
        form: { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer' },
      })),
      good: salesforceReply,
      bad: aReply(400, { error: 'invalid_grant', error_description: 'invalid assertion' }),
    },
    expired: ambiguousReply('an expired certificate has the same response as a wrong one', salesforce.bad),
  },
  'salesforce/salesforce-crm/refresh-token': {
    ...salesforce,
    exchange: {
      ...salesforceRefresh,
      bad: aReply(400, { error: 'invalid_client', error_description: 'invalid client credentials' }),
    },
    expiredExchange: expiredReply(400, salesforceOver),
  },
  'salesforce/salesforce-crm/oauth': {
    ...salesforce,
    exchange: { ...salesforceRefresh, bad: aReply(400, salesforceOver) },
    expiredExchange: expiredReply(400, salesforceOver),
  },
  'shopify/admin-api/access-token': shopify(hasHeaders(({ apiKey = '' }) => ({ 'x-shopify-access-token': apiKey }))),
  'shopify/admin-api/client-credentials': {
    ...shopify(shopifyToken),
    exchange: {
      url: 'https://acme.myshopify.com/admin/oauth/access_token',
      check: hasForm(({ config }) => ({
        grant_type: 'client_credentials',
        client_id: config.clientId ?? '',
        client_secret: config.clientSecret ?? '',
      })),
      good: tokenReply({ scope: 'read_orders,read_products' }),
      bad: aReply(400, { error: 'application_cannot_be_found' }),
    },
  },
  'shopify/admin-api/oauth': shopify(shopifyToken),
  'stripe/rest-api/api-key-basic': stripe(
    hasHeaders(({ apiKey = '' }) => ({ authorization: `Basic ${basicAuthorization(apiKey, '')}` })),
  ),
  'stripe/rest-api/api-key-bearer': stripe(bearerKey('apiKey')),
  'zendesk/zendesk-support/api-token': zendesk(
    hasHeaders(({ username = '', apiToken = '' }) => ({
      authorization: `Basic ${basicAuthorization(username, apiToken)}`,
    })),
  ),
  'zendesk/zendesk-support/api-token-encoded': zendesk(
    hasHeaders(({ encodedToken }) => ({ authorization: `Basic ${encodedToken}` })),
  ),
  'zendesk/zendesk-support/oauth': {
    ...zendesk(bearerToken()),
    exchange: {
      url: 'https://acme.zendesk.com/oauth/tokens',
      check: async (call, known) => {
        const lifetimes = hasForm(() => ({ expires_in: '86400', refresh_token_expires_in: '2592000' }));
        return (await lifetimes(call, known)) && refreshByForm(call, known);
      },
      good: tokenReply({ refresh_token: 'rotated' }),
      bad: invalidGrant,
    },
    expired: undefined,
    expiredExchange: expiredRefresh,
  },
};
