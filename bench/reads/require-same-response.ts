import { isDeepStrictEqual } from 'node:util';

interface ResponseBody {
  meta?: { requestId?: string };
}

/** Throws an error if the responses differ. Ignores the request id and the order of keys. */
export function requireSameResponse(name: string, product: string, baseline: string): void {
  const replies = [product, baseline].map((text) => JSON.parse(text) as ResponseBody);
  for (const { meta } of replies) delete meta?.requestId;
  const path = difference(replies[0], replies[1], '$');
  if (path) throw new Error(`${name}: service and baseline differ at ${path}`);
}

function difference(one: unknown, other: unknown, path: string): string | undefined {
  if (isDeepStrictEqual(one, other)) return undefined;
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other)
    return `${path}: ${JSON.stringify(one)?.slice(0, 80)} and ${JSON.stringify(other)?.slice(0, 80)}`;
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const found = difference(one[key as never], other[key as never], `${path}.${key}`);
    if (found) return found;
  }
  return path;
}
