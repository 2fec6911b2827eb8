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

/** A URL for logs: each occurrence of a secret is replaced, because links of the vendor can contain keys. */
export function redactUrl(url: string, connection: Connection, session: Session | undefined): string {
  const secrets = connectionSecretsOf(connection, [session]);
  const secretTexts = secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]).filter((text) => text !== '');
  return secretTexts.reduce((text, secret) => text.replaceAll(secret, REDACTED), url).slice(0, MAX_URL_CHARACTERS);
}

/** The URL of a request before it is signed; undefined if its template cannot be filled in. */
export function unsignedUrlOf(
  connection: Connection,
  { path, query, variables }: SourceCallRequest,
  session: Session | undefined,
): URL | undefined {
  try {
    return buildSourceUrl(connection, session?.addressValues, path, query, variables);
  } catch {
    return undefined;
  }
}
