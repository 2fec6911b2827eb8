import type { SpcRule, SpcStatus } from '../contracts/spc-rule.js';
import type { ControlLimits } from '../spc/control-limits.js';

export interface ChartPoint {
  readonly runId: string;
  /** ISO 8601. */
  readonly capturedAt: string;
  readonly value: number;
  readonly status: SpcStatus;
  readonly violations: readonly SpcRule[];
}

export type ChartLimits = Omit<ControlLimits, 'stddev'>;

export interface ControlChart {
  readonly title: string;
  readonly subtitle?: string | undefined;
  /** Oldest first. */
  readonly points: readonly ChartPoint[];
  /** Limits that the latest point was evaluated against. */
  readonly limits?: ChartLimits | undefined;
}
