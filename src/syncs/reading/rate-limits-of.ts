import type { ConnectorTap } from '../../catalog/model/connector-tap.js';
import type { RateLimits } from '../../catalog/model/rate-limits.js';
import type { TapSource } from './tap-source.js';

type LimitedTap = Pick<ConnectorTap, 'rateLimits' | 'rateLimitOverride'>;

/**
 * For `resetHeader` and for `retry`, the first defined value in this order applies: the tap's `rateLimitOverride`, the
 * tap's `rateLimits`, the connector's `rateLimits`.
 */
export function rateLimitsOf({ call }: TapSource, tap: LimitedTap): Pick<RateLimits, 'resetHeader' | 'retry'> {
  const all = [tap.rateLimitOverride, tap.rateLimits, call.connection.connector.rateLimits];
  const resetHeader = all.find((limits) => limits?.resetHeader)?.resetHeader;
  const retry = all.find((limits) => limits?.retry)?.retry;
  return { ...(resetHeader && { resetHeader }), ...(retry && { retry }) };
}
