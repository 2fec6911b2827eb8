/** The messages contain no text from servers, resolvers or callers. */
const MESSAGES = {
  url_not_allowed:
    'The URL must be an http or https URL without a user name or password, on a port that is not reserved for other protocols.',
  request_not_allowed: 'The method or a header of the call is not allowed.',
  address_not_allowed: 'This service is not allowed to connect to the host.',
  unreachable: 'The host cannot be reached.',
  timeout: 'The host did not respond in time.',
  broken_reply: 'The response of the host is incomplete or invalid.',
  reply_too_large: 'The response of the host is too large.',
  too_many_redirects: 'The host redirects too often.',
  redirect_not_allowed: 'The host redirects the request to another host. The service does not follow this redirect.',
  closed: 'The service is stopping.',
};

export type OutboundFailure = keyof typeof MESSAGES;

/**
 * The rule that a blocked call violated. Only the operator's log contains the rule, because the rule would reveal the
 * operator's network to customers.
 */
export type GuardRule =
  | 'url'
  | 'scheme'
  | 'userinfo'
  | 'blocked_port'
  | 'reserved_port'
  | 'plain_http'
  | 'private_address'
  | 'no_address'
  | 'header'
  | 'redirected_body';

/** Clients may receive `message`. Only the log may contain `cause`. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';

  constructor(
    readonly reason: OutboundFailure,
    options?: { cause: unknown },
    /** Undefined if the guard did not block the call. */
    readonly rule?: GuardRule,
  ) {
    super(MESSAGES[reason], options);
  }

  static blocked(reason: OutboundFailure, rule: GuardRule): OutboundError {
    return new OutboundError(reason, undefined, rule);
  }
}
