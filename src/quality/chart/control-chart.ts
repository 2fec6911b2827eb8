import type { SpcChartType, SpcRule, SpcStatus } from '../contracts/spc-rule.js';
import type { ControlLimits } from '../spc/control-limits.js';

export interface ChartPoint {
  readonly runId: string;
  /** In ISO 8601. */
  readonly capturedAt: string;
  readonly value: number;
  readonly status: SpcStatus;
  readonly violations: readonly SpcRule[];
  /** Limits that the service used to evaluate the point. Set only if the limits differ from point to point. */
  readonly limits?: ChartLimits | undefined;
}

export type ChartLimits = Omit<ControlLimits, 'stddev'>;

export interface ControlChart {
  readonly title: string;
  readonly subtitle?: string | undefined;
  /** Oldest first. */
  readonly points: readonly ChartPoint[];
  /** Limits that the service used to evaluate the latest point. */
  readonly limits?: ChartLimits | undefined;
  /** Defaults to `INDIVIDUALS`. */
  readonly chartType?: SpcChartType | undefined;
}
