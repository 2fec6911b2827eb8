import type { ConnectorTap } from '../../catalog/model/connector-tap.js';
import type { RateLimits } from '../../catalog/model/rate-limits.js';
import type { TapSource } from './tap-source.js';

type LimitedTap = Pick<ConnectorTap, 'rateLimits' | 'rateLimitOverride'>;

/**
 * Each of the two settings comes from the tap's `rateLimitOverride`, otherwise from the tap's `rateLimits`, otherwise
 * from the connector.
 */
export function rateLimitsOf({ call }: TapSource, tap: LimitedTap): Pick<RateLimits, 'resetHeader' | 'retry'> {
  const all = [tap.rateLimitOverride, tap.rateLimits, call.connection.connector.rateLimits];
  const resetHeader = all.find((limits) => limits?.resetHeader)?.resetHeader;
  const retry = all.find((limits) => limits?.retry)?.retry;
  return { ...(resetHeader && { resetHeader }), ...(retry && { retry }) };
}
