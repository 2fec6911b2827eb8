import type { Context } from 'koa';
import { INGEST_TOKEN_PREFIX } from './ingest/ingest-token-text.js';
import { DOOR } from './ingest-door.js';

/** Whatever stands where a token would, and whatever looks like one anywhere else. */
const BELOW_DOOR = new RegExp(`^/*${DOOR}/.*`, 'is');
const TOKEN = new RegExp(`${INGEST_TOKEN_PREFIX}[0-9A-Za-z]+`, 'gi');

/** The path of a request without tokens, for logs; undefined where the address is no address, over which Koa throws. */
export function loggedPath(ctx: Context): string | undefined {
  try {
    const path = decodeURIComponent(ctx.path);
    return path.replace(BELOW_DOOR, `${DOOR}/:token`).replaceAll(TOKEN, ':token');
  } catch {
    return undefined;
  }
}
