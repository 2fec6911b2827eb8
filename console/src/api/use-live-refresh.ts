import { useEffect, useRef } from 'react';
import { type AnyVariables, type TypedDocumentNode, useSubscription } from 'urql';
import { usePolling } from './use-polling.js';

const POLL_MS = 5_000;

const COALESCE_MS = 300;

/**
 * Calls `refresh` after each event of a subscription. Polls while the subscription is not connected, and while
 * `changesSoon` is true, because the service does not repeat an event that occurs before the subscription is connected.
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
