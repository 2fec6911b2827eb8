import {
  numberOf,
  ok,
  PAGE_SIZE,
  pageAt,
  pageAtCursor,
  RejectedRequest,
  type Respond,
  type VendorData,
  type VendorDialect,
  withParameters,
} from '../simulated-tap-pages.js';

const discordList: Respond = (_, { records }) => ok(records);

/** The cursor of the next page is the id of the last record of this page. */
function discord(
  cursor: string,
  maxLimit: number,
  idOf = (record: VendorData['records'][number]) => record.id,
): Respond {
  return (call, data) => {
    if (numberOf(call, 'limit', 1) > maxLimit) throw new RejectedRequest('The limit is too large.');
    const after = call.url.searchParams.get(cursor);
    const last = after === null ? -1 : data.records.findIndex((record) => idOf(record) === after);
    if (after !== null && last < 0) throw new RejectedRequest(`Invalid ${cursor}: ${after}`);
    return ok(pageAt(data, last + 1, PAGE_SIZE).records.map(({ user_id: _, ...record }) => record));
  };
}

const userIdOf = ({ user }: VendorData['records'][number]): unknown => (user as { id: string }).id;

const pinterest: Respond = (call, data) => {
  if (numberOf(call, 'page_size', 25) > 250) throw new RejectedRequest('The page is too large.');
  const { records, cursor } = pageAtCursor(data, call.url.searchParams.get('bookmark'));
  return ok({ items: records, bookmark: cursor ?? null });
};

const withArchived = withParameters({ entity_statuses: 'ACTIVE,PAUSED,ARCHIVED' }, pinterest);

export const COMMUNITY_DIALECTS: Readonly<Record<string, VendorDialect>> = {
  'discord/rest-api': {
    bases: ['https://discord.com/api/v10'],
    pages: {
      'GET /users/@me/guilds': discord('after', 200),
      'GET /guilds/*/members': discord('after', 1_000, userIdOf),
      'GET /guilds/*/bans': discord('after', 1_000, userIdOf),
      'GET /channels/*/messages': discord('before', 100),
    },
    lists: {
      'GET /guilds/*/channels': discordList,
      'GET /guilds/*/roles': discordList,
      'GET /guilds/*/threads/active': (_, { records }) => ok({ threads: records, members: [] }),
      'GET /guilds/*/scheduled-events': discordList,
      'GET /guilds/*/emojis': discordList,
      'GET /guilds/*/stickers': discordList,
      'GET /guilds/*/invites': discordList,
    },
    values: {
      user: (nth) => ({ id: `user-${nth}`, username: 'ada' }),
      user_id: (nth) => `user-${nth}`,
    },
  },
  'pinterest/rest-api': {
    bases: ['https://api.pinterest.com/v5'],
    pages: {
      'GET /boards': pinterest,
      'GET /boards/*/sections': pinterest,
      'GET /pins': pinterest,
      'GET /catalogs': pinterest,
      'GET /catalogs/feeds': pinterest,
      'GET /catalogs/product_groups': withParameters({ feed_id: 'id-0' }, pinterest),
      'GET /ad_accounts': pinterest,
      'GET /ad_accounts/*/campaigns': withArchived,
      'GET /ad_accounts/*/ad_groups': withArchived,
      'GET /ad_accounts/*/ads': withArchived,
      'GET /ad_accounts/*/audiences': pinterest,
      'GET /ad_accounts/*/keywords': pinterest,
      'GET /ad_accounts/*/customer_lists': pinterest,
    },
    lists: { 'GET /ad_accounts/*/conversion_tags': (_, { records }) => ok({ items: records }) },
  },
};
