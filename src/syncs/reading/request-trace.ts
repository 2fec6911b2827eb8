import type { SourceCallRequest } from '../../sources/calls/call-source.js';
import type { Connection } from '../../sources/connection.js';
import { connectionSecretsOf } from '../../sources/connection-secrets.js';
import type { Session } from '../../sources/session.js';
import { buildSourceUrl } from '../../sources/source-address.js';
import type { SyncErrorClass } from '../tap-read-error.js';

/** One request of a tap, without secrets, headers and bodies. */
export interface RequestTrace {
  readonly at: Date;
  readonly method: string;
  readonly url: string;
  /** Undefined if no response arrived. */
  readonly status?: number;
  readonly durationMs: number;
  /** Size of the response body, in bytes. */
  readonly bytes: number;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** Undefined if the response was read successfully. */
  readonly errorClass?: SyncErrorClass;
}

const MAX_URL_CHARACTERS = 2_000;
const REDACTED = '***';

/**
 * The URL of a request before it is signed. Each occurrence of a secret is replaced, because links of the vendor can
 * contain keys. Returns the template of a URL that cannot be built.
 */
export function traceUrl(
  connection: Connection,
  { path, query, variables }: SourceCallRequest,
  session: Session | undefined,
): string {
  const secrets = connectionSecretsOf(connection, [session]);
  const secretTexts = secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]).filter((text) => text !== '');
  const url = urlOf() ?? path;
  return secretTexts.reduce((text, secret) => text.replaceAll(secret, REDACTED), url).slice(0, MAX_URL_CHARACTERS);

  function urlOf(): string | undefined {
    try {
      return buildSourceUrl(connection, session?.addressValues, path, query, variables).href;
    } catch {
      return undefined;
    }
  }
}
