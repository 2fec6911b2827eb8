import type { PageToken } from '../page-token.js';
import type { ResponseFacts } from '../responses/response-facts.js';
import type { TapSource } from './tap-source.js';

export function responseFactsOf(
  { call, rateLimits = call.connection.connector.rateLimits }: TapSource,
  token: PageToken | undefined,
  origin: string | undefined,
): ResponseFacts {
  const { strategy } = call.connection;
  return {
    token,
    origin,
    failures: strategy.verification?.failures,
    resetHeader: rateLimits?.resetHeader ?? undefined,
  };
}
