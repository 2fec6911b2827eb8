import type { PageToken } from '../page-token.js';
import type { ResponseFacts } from '../responses/response-facts.js';
import type { TapSource } from './tap-source.js';

/** The facts about the connection and the request that decide how a response is read. */
export function responseFactsOf(
  { call }: TapSource,
  token: PageToken | undefined,
  origin: string | undefined,
): ResponseFacts {
  const { connector, strategy } = call.connection;
  return {
    token,
    origin,
    failures: strategy.verification?.failures,
    resetHeader: connector.rateLimits?.resetHeader ?? undefined,
  };
}
