import { bearerToken, hasHeaders, refreshByBasic } from './shipped-checks.js';
import {
  ambiguousReply,
  aReply,
  expiredRefresh,
  forbiddenReply,
  invalidGrant,
  type Scenarios,
  tokenReply,
} from './shipped-scenario.js';

const discordSays = (code: number) => ({ code, message: 'Something is wrong.' });
const discordDenied = aReply(401, discordSays(0));

export const COMMUNITY_SCENARIOS: Scenarios = {
  'discord/rest-api/bot-token': {
    call: 'GET https://discord.com/api/v10/users/@me',
    check: hasHeaders(({ botToken = '' }) => ({ authorization: `Bot ${botToken}` })),
    good: aReply(200, { id: '1', username: 'taproot', bot: true }),
    identity: 'taproot',
    bad: discordDenied,
    forbidden: forbiddenReply(403, discordSays(50_001)),
    expired: ambiguousReply('a reset token has the same response as a wrong one', discordDenied),
  },
  'pinterest/rest-api/oauth': {
    call: 'GET https://api.pinterest.com/v5/user_account',
    check: bearerToken(),
    good: aReply(200, { id: '1', username: 'acme', account_type: 'BUSINESS' }),
    identity: 'acme',
    bad: aReply(401, { code: 2, message: 'Authentication failed.' }),
    forbidden: forbiddenReply(403, { code: 29, message: 'You are not permitted to access that resource.' }),
    exchange: {
      url: 'https://api.pinterest.com/v5/oauth/token',
      check: refreshByBasic,
      good: tokenReply({ refresh_token: 'rotated' }),
      bad: invalidGrant,
    },
    expiredExchange: expiredRefresh,
  },
};
