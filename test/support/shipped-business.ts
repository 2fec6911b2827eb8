import {
  bearerKey,
  bearerToken,
  type Check,
  carries,
  form,
  netsuiteTokens,
  refreshByBasic,
  refreshByForm,
  signed,
} from './shipped-checks.js';
import { basicPair } from './shipped-configs.js';
import {
  expired,
  forbidden,
  invalidGrant,
  refreshIsOver,
  reply,
  type Scenario,
  type Scenarios,
  tokenReply,
  untold,
} from './shipped-scenario.js';

const hubspotSays = (category: string) => ({ status: 'error', category, message: 'Something is wrong.' });
const hubspot = {
  call: 'GET https://api.hubapi.com/account-info/v3/details',
  good: reply(200, { portalId: 62515, accountType: 'STANDARD' }),
  identity: '62515',
  bad: reply(401, hubspotSays('INVALID_AUTHENTICATION')),
  forbidden: forbidden(403, hubspotSays('MISSING_SCOPES')),
};

const netsuiteHost = 'https://acme-main.suitetalk.api.netsuite.com/services/rest';
const netsuiteSays = (detail: string) => ({ title: 'Error', 'o:errorDetails': [{ detail }] });
const netsuite = {
  call: `POST ${netsuiteHost}/query/v1/suiteql?limit=1`,
  good: reply(200, { items: [], count: 0, hasMore: false }),
  bad: reply(401, netsuiteSays('Invalid login attempt.')),
  forbidden: forbidden(400, netsuiteSays("Invalid search query. Record 'customer' was not found.")),
  expired: untold('a token has no end but to be withdrawn', reply(401, netsuiteSays('Invalid login attempt.'))),
};

const pipedrive = {
  good: reply(200, { success: true, data: { email: 'ada@acme.test' } }),
  identity: 'ada@acme.test',
  bad: reply(401, { success: false, error: 'unauthorized access' }),
  forbidden: forbidden(403, { success: false, error: 'Scope and URL mismatch' }),
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
  good: reply(200, { identity: 'https://login.salesforce.com/id/00D/005', sobjects: '/services/data/v62.0/sobjects' }),
  identity: 'https://login.salesforce.com/id/00D/005',
  bad: reply(401, salesforceSays('INVALID_SESSION_ID')),
  forbidden: forbidden(403, salesforceSays('API_DISABLED_FOR_ORG')),
  limited: [reply(403, salesforceSays('REQUEST_LIMIT_EXCEEDED'))],
};
const salesforceRefresh = { url: salesforceToken, check: refreshByForm, good: salesforceReply };

const shopifySays = (code: string) => ({ errors: [{ message: 'Something is wrong.', extensions: { code } }] });
const shopifyScopes = ['read_orders', 'read_products', 'read_customers', 'read_locations'];
const accessScopes = shopifyScopes.map((handle) => ({ handle }));
const shopifyDenied = reply(401, {
  errors: '[API] Invalid API key or access token (unrecognized login or wrong password)',
});
const shopify = (check: Check): Scenario => ({
  call: 'POST https://acme.myshopify.com/admin/api/2026-01/graphql.json',
  check,
  good: reply(200, { data: { shop: { name: 'Acme' }, currentAppInstallation: { accessScopes } } }),
  identity: 'Acme',
  scopes: shopifyScopes,
  bad: shopifyDenied,
  forbidden: forbidden(200, shopifySays('ACCESS_DENIED')),
  expired: untold('a token that is over is refused like a wrong one', shopifyDenied),
  limited: [reply(200, shopifySays('THROTTLED'))],
});
const shopifyToken = carries((_, token) => ({ 'x-shopify-access-token': token }));

const stripe = (check: Check): Scenario => ({
  call: 'GET https://api.stripe.com/v1/balance',
  check,
  good: reply(200, { object: 'balance', available: [] }),
  bad: reply(401, { error: { type: 'invalid_request_error', message: 'Invalid API Key provided: sk_live_****' } }),
  forbidden: forbidden(403, {
    error: { type: 'invalid_request_error', message: 'The key does not have the required permissions.' },
  }),
  expired: expired(401, { error: { type: 'invalid_request_error', code: 'api_key_expired' } }),
});

const zendeskDenied = reply(401, { error: "Couldn't authenticate you" });
const zendesk = (check: Check): Scenario => ({
  call: 'GET https://acme.zendesk.com/api/v2/users/me.json',
  check,
  good: reply(200, { user: { id: 1, email: 'ada@acme.test' } }),
  identity: 'ada@acme.test',
  // To somebody whom it does not know, Zendesk speaks as to an anonymous user.
  bad: reply(200, { user: { id: null, name: 'Anonymous user' } }),
  forbidden: forbidden(403, { error: 'Forbidden', description: 'You are missing the following scopes.' }),
  expired: untold('a token that is over is refused like a wrong one', zendeskDenied),
});

export const business: Scenarios = {
  'hubspot/hubspot-crm/private-app': {
    ...hubspot,
    check: bearerKey('accessToken'),
    expired: expired(401, hubspotSays('EXPIRED_AUTHENTICATION')),
  },
  'hubspot/hubspot-crm/oauth': {
    ...hubspot,
    check: bearerToken(),
    exchange: {
      url: 'https://api.hubapi.com/oauth/v1/token',
      check: refreshByForm,
      good: tokenReply({ refresh_token: 'same' }),
      bad: reply(400, { status: 'BAD_REFRESH_TOKEN', message: 'missing or invalid refresh token' }),
    },
    expiredExchange: expired(400, { status: 'BAD_REFRESH_TOKEN', message: 'missing or invalid refresh token' }),
  },
  'netsuite/netsuite-suiteql/client-credentials': {
    ...netsuite,
    check: bearerToken({ prefer: 'transient' }),
    exchange: {
      url: `${netsuiteHost}/auth/oauth2/v1/token`,
      check: signed('client_assertion', ({ clientId }) => ({
        issuer: clientId,
        audience: `${netsuiteHost}/auth/oauth2/v1/token`,
        algorithms: ['PS256'],
        claims: { scope: 'rest_webservices' },
        form: { grant_type: 'client_credentials' },
      })),
      good: tokenReply({ expires_in: '3600' }),
      bad: reply(400, { error: 'invalid_grant' }),
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
    expiredExchange: refreshIsOver,
  },
  'pipedrive/pipedrive-crm/api-token': {
    ...pipedrive,
    call: 'GET https://acme.pipedrive.com/api/v1/users/me',
    check: carries(({ apiToken = '' }) => ({ 'x-api-token': apiToken })),
    expired: untold('a token that was replaced is refused like a wrong one', pipedrive.bad),
  },
  'salesforce/salesforce-crm/jwt-bearer': {
    ...salesforce,
    exchange: {
      url: salesforceToken,
      check: signed('assertion', ({ clientId, subject }) => ({
        issuer: clientId,
        subject,
        audience: 'https://login.salesforce.com',
        algorithms: ['RS256'],
        form: { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer' },
      })),
      good: salesforceReply,
      bad: reply(400, { error: 'invalid_grant', error_description: 'invalid assertion' }),
    },
    expired: untold('a certificate that is over is refused like a wrong one', salesforce.bad),
  },
  'salesforce/salesforce-crm/refresh-token': {
    ...salesforce,
    exchange: {
      ...salesforceRefresh,
      bad: reply(400, { error: 'invalid_client', error_description: 'invalid client credentials' }),
    },
    expiredExchange: expired(400, salesforceOver),
  },
  'salesforce/salesforce-crm/oauth': {
    ...salesforce,
    exchange: { ...salesforceRefresh, bad: reply(400, salesforceOver) },
    expiredExchange: expired(400, salesforceOver),
  },
  'shopify/admin-api/access-token': shopify(carries(({ apiKey = '' }) => ({ 'x-shopify-access-token': apiKey }))),
  'shopify/admin-api/client-credentials': {
    ...shopify(shopifyToken),
    exchange: {
      url: 'https://acme.myshopify.com/admin/oauth/access_token',
      check: form(({ config }) => ({
        grant_type: 'client_credentials',
        client_id: config.clientId ?? '',
        client_secret: config.clientSecret ?? '',
      })),
      good: tokenReply({ scope: 'read_orders,read_products' }),
      bad: reply(400, { error: 'application_cannot_be_found' }),
    },
  },
  'shopify/admin-api/oauth': shopify(shopifyToken),
  'stripe/rest-api/api-key-basic': stripe(
    carries(({ apiKey = '' }) => ({ authorization: `Basic ${basicPair(apiKey, '')}` })),
  ),
  'stripe/rest-api/api-key-bearer': stripe(bearerKey('apiKey')),
  'zendesk/zendesk-support/api-token': zendesk(
    carries(({ username = '', apiToken = '' }) => ({ authorization: `Basic ${basicPair(username, apiToken)}` })),
  ),
  'zendesk/zendesk-support/api-token-encoded': zendesk(
    carries(({ encodedToken }) => ({ authorization: `Basic ${encodedToken}` })),
  ),
  'zendesk/zendesk-support/oauth': {
    ...zendesk(bearerToken()),
    exchange: {
      url: 'https://acme.zendesk.com/oauth/tokens',
      check: async (call, known) => {
        const lifetimes = form(() => ({ expires_in: '86400', refresh_token_expires_in: '2592000' }));
        return (await lifetimes(call, known)) && refreshByForm(call, known);
      },
      good: tokenReply({ refresh_token: 'rotated' }),
      bad: invalidGrant,
    },
    expired: undefined,
    expiredExchange: refreshIsOver,
  },
};
