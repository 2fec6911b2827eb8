import { useEffect, useRef } from 'react';
import { type AnyVariables, type TypedDocumentNode, useSubscription } from 'urql';
import { usePolling } from './use-polling.js';

const POLL_MS = 5_000;

const COALESCE_MS = 300;

/**
 * Calls `refresh` after each event of a subscription. Also calls it every `POLL_MS` after an error of the subscription,
 * and while `changesSoon` is true. The service does not repeat events that occur before the subscription is connected,
 * so a caller that expects a change soon must poll.
 */
export function useLiveRefresh<Variables extends AnyVariables>(
  query: TypedDocumentNode<unknown, Variables>,
  variables: Variables,
  refresh: () => void,
  changesSoon = false,
): void {
  const latest = useRef(refresh);
  latest.current = refresh;
  const [{ data, error }] = useSubscription({ query, variables });
  useEffect(() => {
    if (data === undefined) return;
    const timer = setTimeout(() => latest.current(), COALESCE_MS);
    return () => clearTimeout(timer);
  }, [data]);
  usePolling(() => (error || changesSoon) && refresh(), POLL_MS);
}
