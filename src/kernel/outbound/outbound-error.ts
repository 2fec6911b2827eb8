/** Whole sentences of our own: what a server, a resolver or a caller wrote never gets into a message. */
const MESSAGES = {
  url_not_allowed: 'Only https addresses without a user name and password, on a port for the web, may be called.',
  request_not_allowed: 'The method or a header of the call is not allowed.',
  address_not_allowed: 'The host is outside of what this service may reach.',
  unreachable: 'The host cannot be reached.',
  timeout: 'The host did not answer in time.',
  broken_reply: 'The reply breaks off or cannot be read.',
  reply_too_large: 'The reply is too large.',
  too_many_redirects: 'The host redirects too often.',
  redirect_not_allowed: 'The host redirects a body to another host.',
  closed: 'The service is stopping.',
};

export type OutboundFailure = keyof typeof MESSAGES;

/**
 * Which rule of the guard refused a call. For the operator's log only: a customer could map the operator's network with it.
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

/** Why a call that leaves the service has no reply. `message` is safe to show; a cause is for the log. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';

  constructor(
    readonly reason: OutboundFailure,
    options?: { cause: unknown },
    /** Set if the guard refused the call. */
    readonly rule?: GuardRule,
  ) {
    super(MESSAGES[reason], options);
  }

  static blocked(reason: OutboundFailure, rule: GuardRule): OutboundError {
    return new OutboundError(reason, undefined, rule);
  }
}
