import { type RefObject, useEffect, useState } from 'react';

/** Returns the width in pixels: `initial` before the first measurement, and afterwards at least 240. */
export function useWidth(element: RefObject<HTMLElement | null>, initial: number): number {
  const [width, setWidth] = useState(initial);
  useEffect(() => {
    const { current } = element;
    if (!current) return;
    const observer = new ResizeObserver(() => setWidth(Math.max(current.clientWidth, 240)));
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
