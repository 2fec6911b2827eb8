import { createClient } from 'graphql-sse';
import { Client, cacheExchange, fetchExchange, subscriptionExchange } from 'urql';
import type { Session } from '../session/session.js';

/** Sends queries, mutations and uploads to `/graphql`, and subscriptions to `/graphql/stream`. */
export function createApiClient({ token }: Session, workspace: string): Client {
  const headers = (): Record<string, string> => ({ authorization: `Bearer ${token()}`, 'x-tenant': workspace });
  const live = createClient({ url: '/graphql/stream', headers });
  const subscriptions = subscriptionExchange({
    forwardSubscription: ({ query = '', variables }) => ({
      subscribe: (sink) => ({ unsubscribe: live.subscribe({ query, variables }, sink as never) }),
    }),
  });
  return new Client({
    url: '/graphql',
    preferGetMethod: false,
    requestPolicy: 'cache-and-network',
    exchanges: [cacheExchange, subscriptions, fetchExchange],
    fetchOptions: () => ({ headers: headers() }),
  });
}
