import { bearerKey, bearerToken, hasHeaders, type RequestCheck, refreshByForm } from './shipped-checks.js';
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

const chargebeeSays = (api_error_code: string) => ({ message: 'Something is wrong.', api_error_code });
const chargebeeDenied = aReply(401, chargebeeSays('api_authentication_failed'));

const squareSays = (code: string) => ({ errors: [{ category: 'AUTHENTICATION_ERROR', code }] });
const square = (check: RequestCheck): Scenario => ({
  call: 'GET https://connect.squareup.com/v2/merchants/me',
  check,
  good: aReply(200, { merchant: { id: 'M1', business_name: 'Acme' } }),
  identity: 'Acme',
  bad: aReply(401, squareSays('UNAUTHORIZED')),
  forbidden: forbiddenReply(403, squareSays('INSUFFICIENT_SCOPES')),
  expired: expiredReply(401, squareSays('ACCESS_TOKEN_EXPIRED')),
});
const woocommerceSays = (code: string, status: number) => ({ code, message: 'Something is wrong.', data: { status } });
const woocommerceDenied = aReply(401, woocommerceSays('woocommerce_rest_authentication_error', 401));

const squareVersion = { 'square-version': '2025-08-20' };

export const COMMERCE_SCENARIOS: Scenarios = {
  'chargebee/rest-api/api-key': {
    call: 'GET https://acme.chargebee.com/api/v2/customers?limit=1',
    check: hasHeaders(({ apiKey = '' }) => ({ authorization: `Basic ${basicAuthorization(apiKey, '')}` })),
    good: aReply(200, { list: [] }),
    bad: chargebeeDenied,
    forbidden: forbiddenReply(403, chargebeeSays('api_authorization_failed')),
    expired: ambiguousReply('a deleted key has the same response as a wrong one', chargebeeDenied),
  },
  'square/rest-api/access-token': square(bearerKey('accessToken', squareVersion)),
  'square/rest-api/oauth': {
    ...square(bearerToken(squareVersion)),
    exchange: {
      url: 'https://connect.squareup.com/oauth2/token',
      check: refreshByForm,
      good: tokenReply({ refresh_token: 'same', expires_in: undefined, expires_at: '2026-12-25T00:00:00Z' }),
      bad: invalidGrant,
    },
    expired: undefined,
    expiredExchange: expiredRefresh,
  },
  'woocommerce/rest-api/api-keys': {
    call: 'GET https://data.acme.test/wp-json/wc/v3/products/categories?per_page=1',
    check: hasHeaders(({ consumerKey = '', consumerSecret = '' }) => ({
      authorization: `Basic ${basicAuthorization(consumerKey, consumerSecret)}`,
    })),
    good: aReply(200, []),
    bad: woocommerceDenied,
    forbidden: forbiddenReply(403, woocommerceSays('woocommerce_rest_cannot_view', 403)),
    expired: ambiguousReply('a deleted key has the same response as a wrong one', woocommerceDenied),
  },
};
