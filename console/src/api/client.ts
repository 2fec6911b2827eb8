import { createClient } from 'graphql-sse';
import { Client, cacheExchange, fetchExchange, subscriptionExchange } from 'urql';

export function createApiClient(authorizedFetch: typeof fetch): Client {
  const live = createClient({ url: '/graphql/stream', fetchFn: authorizedFetch });
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
    fetch: authorizedFetch,
  });
}
