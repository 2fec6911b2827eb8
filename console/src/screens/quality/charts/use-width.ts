import { type RefObject, useEffect, useState } from 'react';

/** Returns at least 240 pixels. */
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
