import { Int } from 'type-graphql';
import { OptionalField, PlainObjectType, RequiredField } from '../../kernel/entities/column-decorators.js';

@PlainObjectType('Retries of a request after a rate limit or a transient failure.')
export class RetryPolicy {
  @OptionalField(
    'Factor by which the maximum delay grows with each retry. The maximum delay starts at 1 second and grows to at most 60 seconds. Defaults to 2.',
  )
  backoffMultiplier?: number;

  @OptionalField('Maximum number of retries. Defaults to 5.', () => Int)
  maxRetries?: number;

  @OptionalField(
    'Time from the first attempt, in seconds, after which the service plans no further retry. Defaults to 600.',
    () => Int,
  )
  maxRetryTimeSeconds?: number;

  @OptionalField('Whether a `Retry-After` header of the source sets the delay. Defaults to `true`.')
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
  @OptionalField(
    'Maximum number of concurrent requests. If it is not set, only `requestsPerSecond` and `windows` limit the requests.',
    () => Int,
  )
  maxConcurrent?: number;

  @OptionalField(
    'Maximum average number of requests per second. May be a fraction. In the `rateLimits` of a connector, the default for syncs is 10, and other calls have no default limit. If a tap does not set this field, only the value of the connector applies.',
  )
  requestsPerSecond?: number;

  @OptionalField('Number of requests that the source counts for one request. Defaults to 1.', () => Int)
  requestWeight?: number;

  @OptionalField('Response header with the time at which the limit resets.')
  resetHeader?: string;

  @OptionalField('Retries of a request after a rate limit or a transient failure.', () => RetryPolicy)
  retry?: RetryPolicy;

  @OptionalField(
    'Limits for periods longer than a second, such as a minute or a day. All limits apply together.',
    () => [RateLimitWindow],
  )
  windows?: RateLimitWindow[];
}
