import type { SourceCallRequest } from '../../sources/calls/call-source.js';
import type { Connection } from '../../sources/connection.js';
import type { Session } from '../../sources/session.js';
import { buildSourceUrl } from '../../sources/source-address.js';
import type { SyncErrorClass } from '../tap-read-error.js';

/** One request of a tap, without secrets, headers and bodies. */
export interface RequestTrace {
  readonly at: Date;
  readonly method: string;
  readonly url: string;
  /** Undefined if the vendor did not respond. */
  readonly status?: number;
  readonly durationMs: number;
  readonly bytes: number;
  /** Starts at 1. */
  readonly attempt: number;
  /** Undefined if the service read the response successfully. */
  readonly errorClass?: SyncErrorClass;
}

/** Returns undefined if the URL is invalid, for example because a variable has no value. */
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
