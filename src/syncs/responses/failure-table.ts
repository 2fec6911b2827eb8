import { type FailureAction, type SyncErrorClass, TapReadError } from '../tap-read-error.js';

type Failure = readonly [errorClass: SyncErrorClass, action: FailureAction, message: string];

/** Class, action and default message. Messages contain no text of the source. */
const FAILURES = {
  unavailable: ['vendor_unavailable', 'retry', 'The source is temporarily unavailable.'],
  unreachable: ['vendor_unavailable', 'retry', 'The source cannot be reached.'],
  timeout: ['vendor_unavailable', 'retry', 'The source did not respond in time.'],
  rate_limited: ['rate_limited', 'wait', 'The source is rate limiting requests.'],
  cursor_expired: ['vendor_unavailable', 'restart', 'The source rejects the cursor as expired.'],
  paging_reset: ['vendor_unavailable', 'reset_paging', 'The source rejects the page position in the request.'],
  session_expired: ['credential', 'refresh_session', 'The source rejects the session.'],
  credential_rejected: ['credential', 'stop_run', 'The source rejects the credential.'],
  sign_in_required: ['credential', 'stop_run', 'Sign in with the vendor first.'],
  forbidden: ['permission', 'skip_tap', 'The credential lacks a permission that the tap needs.'],
  client_forbidden: ['permission', 'stop_run', 'The credential lacks permissions that the connector needs.'],
  skipped_slice: ['permission', 'skip_slice', 'The source does not provide the records of this slice.'],
  skipped_tap: ['permission', 'skip_tap', 'The source does not provide the records of the tap.'],
  parent_gone: ['configuration', 'skip_slice', 'The request depends on a record that no longer exists at the source.'],
  not_found: [
    'configuration',
    'fail_tap',
    'The URL does not exist at the source. Check the address fields of the connection.',
  ],
  config_invalid: [
    'configuration',
    'fail_tap',
    'The configuration names an account or object that does not exist at the source.',
  ],
  token_config_invalid: ['configuration', 'stop_run', 'The token endpoint rejects the configuration.'],
  redirected: [
    'configuration',
    'fail_tap',
    'The source redirected the request to another host. The service does not send the credential to another host. Check the base URL and the address fields of the connection.',
  ],
  html_page: [
    'configuration',
    'fail_tap',
    'The source returned an HTML page, such as a sign-in page, instead of data. Check the base URL and the address fields of the connection. Also check whether a proxy intercepts the requests to the source.',
  ],
  oversized: ['contract', 'fail_tap', 'The response of the source, or one of its records, exceeds the size limit.'],
  foreign_address: [
    'contract',
    'fail_tap',
    'A URL in a response of the source, such as the link to the next page, is outside the base URL of the connection.',
  ],
  unexpected_status: ['contract', 'fail_tap', 'The source rejects the request.'],
  rejected_by_rule: ['contract', 'fail_tap', 'The source rejects the request.'],
  reported_error: ['contract', 'fail_tap', 'The response reports an error that the definition does not list.'],
  unexpected_shape: ['contract', 'fail_tap', 'The response differs from the definition of the tap.'],
  invalid_definition: ['contract', 'fail_tap', 'The definition of the tap is invalid.'],
  result_cap: ['contract', 'split_window', 'The source returns only some of the records of the time window.'],
  stopping: ['internal', 'retry', 'The service is stopping.'],
  internal: ['internal', 'fail_tap', 'The service failed with an internal error.'],
} as const satisfies Record<string, Failure>;

export type FailureKind = keyof typeof FAILURES;

interface FailureDetails {
  readonly errorClass?: SyncErrorClass | null | undefined;
  /** Must not contain text of the source. */
  readonly message?: string | undefined;
  readonly status?: number | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

export function failureOf(kind: FailureKind, { message, errorClass, ...details }: FailureDetails = {}): TapReadError {
  const [defaultClass, action, defaultMessage] = FAILURES[kind];
  return new TapReadError(errorClass ?? defaultClass, action, message ?? defaultMessage, details);
}
