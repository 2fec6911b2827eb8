import { useEffect, useRef } from 'react';

/** Calls `refresh` at an interval while the page is visible. */
export function usePolling(refresh: () => unknown, intervalMs: number): void {
  const latest = useRef(refresh);
  latest.current = refresh;
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') latest.current();
    }, intervalMs);
    return () => clearInterval(timer);
  }, [intervalMs]);
}
