import { describe, expect, it } from 'vitest';
import { SYNC_FAILURE_ADVICE } from '../../../src/instances/sync-failure-advice.js';
import { adviceOfRun } from '../../../src/syncs/schedules/failure-advice.resolver.js';

const NOW = Date.parse('2026-01-15T00:00:00Z');

describe('the advice after a failed tap run', () => {
  it('names the decision about held rows until their time has expired, then the advice of the class', () => {
    const heldUntil = '2026-01-15T00:00:01Z' as never;
    const held = adviceOfRun({ errorClass: 'contract', heldUntil }, NOW);
    expect(held).toMatchObject({
      ...{ responsible: 'customer' },
      nextStep: expect.stringContaining('decideHeldRows (POST /api/tenant-connector-taps/{id}/held-rows)'),
    });
    expect(adviceOfRun({ errorClass: 'contract', heldUntil }, NOW + 1_000)).toBe(SYNC_FAILURE_ADVICE.contract);
  });
});
