import { Int } from 'type-graphql';
import { OptionalField, PlainObjectType } from '../../kernel/entities/column-decorators.js';

@PlainObjectType('How a request is tried again after a failure that may pass.')
export class RetryPolicy {
  @OptionalField('Factor by which each wait is longer than the one before.')
  backoffMultiplier?: number;

  @OptionalField('Tries after the first one.', () => Int)
  maxRetries?: number;

  @OptionalField('Seconds after which no further try is made.', () => Int)
  maxRetryTimeSeconds?: number;

  @OptionalField('Whether a `Retry-After` header of the source sets the wait.')
  respectRetryAfter?: boolean;
}

@PlainObjectType('What the source API lets one client do.')
export class RateLimits {
  @OptionalField('Requests under way at once.', () => Int)
  maxConcurrent?: number;

  @OptionalField('Requests a second, averaged; below 1 for slower limits.')
  requestsPerSecond?: number;

  @OptionalField('Response header that says when the limit is lifted.')
  resetHeader?: string;

  @OptionalField('What happens after a refusal.', () => RetryPolicy)
  retry?: RetryPolicy;
}
