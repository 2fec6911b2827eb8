import { Int } from 'type-graphql';
import { OptionalField, PlainObjectType, RequiredField } from '../../kernel/entities/column-decorators.js';

@PlainObjectType('Retries of a request after a transient failure.')
export class RetryPolicy {
  @OptionalField('Factor by which the delay grows with each retry.')
  backoffMultiplier?: number;

  @OptionalField('Maximum number of retries.', () => Int)
  maxRetries?: number;

  @OptionalField('Seconds after which retries stop.', () => Int)
  maxRetryTimeSeconds?: number;

  @OptionalField('Whether a `Retry-After` header of the source sets the delay.')
  respectRetryAfter?: boolean;
}

@PlainObjectType('Number of requests that the source accepts in a time window.')
export class RateLimitWindow {
  @RequiredField('Maximum number of requests.', () => Int)
  requests: number;

  @RequiredField('Length of the window, in seconds.', () => Int)
  seconds: number;
}

@PlainObjectType('Rate limits of the source API.')
export class RateLimits {
  @OptionalField('Maximum number of concurrent requests.', () => Int)
  maxConcurrent?: number;

  @OptionalField('Average number of requests per second. May be a fraction.')
  requestsPerSecond?: number;

  @OptionalField('Number of requests that the source counts for one request. Defaults to 1.', () => Int)
  requestWeight?: number;

  @OptionalField('Response header with the time at which the limit resets.')
  resetHeader?: string;

  @OptionalField('Retries after a rate-limited request.', () => RetryPolicy)
  retry?: RetryPolicy;

  @OptionalField('Limits of longer windows, such as a minute and a day. All of them apply.', () => [RateLimitWindow])
  windows?: RateLimitWindow[];
}
