import { Int } from 'type-graphql';
import { Optional, Shape } from '../kernel/columns.js';

@Shape('How a request is tried again after a failure that may pass.')
export class RetryPolicy {
  @Optional('Factor by which each wait is longer than the one before.')
  backoffMultiplier?: number;

  @Optional('Tries after the first one.', () => Int)
  maxRetries?: number;

  @Optional('Seconds after which no further try is made.', () => Int)
  maxRetryTimeSeconds?: number;

  @Optional('Whether a `Retry-After` header of the source sets the wait.')
  respectRetryAfter?: boolean;
}

@Shape('What the source API lets one client do.')
export class RateLimits {
  @Optional('Requests under way at once.', () => Int)
  maxConcurrent?: number;

  @Optional('Requests a second, averaged; below 1 for slower limits.')
  requestsPerSecond?: number;

  @Optional('Response header that says when the limit is lifted.')
  resetHeader?: string;

  @Optional('What happens after a refusal.', () => RetryPolicy)
  retry?: RetryPolicy;
}
