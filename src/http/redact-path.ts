import type { Context } from 'koa';
import { INGEST_TOKEN_PREFIX } from '../ingest/ingest-token-text.js';
import { INGEST_PATH } from './ingest-endpoint.js';

/** Matches any text at the position of a token. `INGEST_TOKEN` matches tokens elsewhere in a path. */
const INGEST_SUBPATH = new RegExp(`^/*${INGEST_PATH}/.*`, 'is');
const INGEST_TOKEN = new RegExp(`${INGEST_TOKEN_PREFIX}[0-9A-Za-z]+`, 'gi');

/** Returns the path for logs, with tokens redacted. Returns undefined for a malformed URL. */
export function redactPath(ctx: Context): string | undefined {
  try {
    const path = decodeURIComponent(ctx.path);
    return path.replace(INGEST_SUBPATH, `${INGEST_PATH}/:token`).replaceAll(INGEST_TOKEN, ':token');
  } catch {
    return undefined;
  }
}
