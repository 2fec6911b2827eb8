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
  /** HTTP status; undefined if no response arrived. */
  readonly status?: number;
  readonly durationMs: number;
  /** Size of the response body, in bytes. */
  readonly bytes: number;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** Class of the failure; undefined if the response was read successfully. */
  readonly errorClass?: SyncErrorClass;
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
