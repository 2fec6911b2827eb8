import type { VerificationFailure } from '../../catalog/model/credential-verification.js';
import type { PageToken } from '../page-token.js';

export interface ResponseFacts {
  /** Undefined for the first page. */
  readonly token?: PageToken | undefined;
  /** Rules of the credential test. Only those with an expression apply to responses of taps. */
  readonly failures?: readonly VerificationFailure[] | null | undefined;
  /** Header with the time at which the rate limit resets. */
  readonly resetHeader?: string | undefined;
  /** Origin of the request. A response from another origin proves nothing about the credential. */
  readonly origin?: string | undefined;
  /** Milliseconds since 1970. Defaults to the current time. */
  readonly now?: number | undefined;
}
