import type { SpcRule, SpcStatus } from '../contracts/spc-rule.js';
import type { ControlLimits } from '../spc/control-limits.js';

/** A run on a control chart. */
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
  /** What is measured and in which unit, say. */
  readonly subtitle?: string | undefined;
  /** The oldest first. */
  readonly points: readonly ChartPoint[];
  /** Those that the latest point was held against. */
  readonly limits?: ChartLimits | undefined;
}
