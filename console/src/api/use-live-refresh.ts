import { useEffect, useRef } from 'react';
import { type AnyVariables, type TypedDocumentNode, useSubscription } from 'urql';

const POLL_MS = 10_000;

/** Time within which several events cause only one refresh. */
const COALESCE_MS = 300;

/** Calls `refresh` after each event of a subscription. Polls while the subscription is not connected. */
export function useLiveRefresh<Variables extends AnyVariables>(
  query: TypedDocumentNode<unknown, Variables>,
  variables: Variables,
  refresh: () => void,
): void {
  const latest = useRef(refresh);
  latest.current = refresh;
  const [{ data, error }] = useSubscription({ query, variables });
  useEffect(() => {
    if (data === undefined) return;
    const timer = setTimeout(() => latest.current(), COALESCE_MS);
    return () => clearTimeout(timer);
  }, [data]);
  useEffect(() => {
    if (!error) return;
    const timer = setInterval(() => latest.current(), POLL_MS);
    return () => clearInterval(timer);
  }, [error]);
}
