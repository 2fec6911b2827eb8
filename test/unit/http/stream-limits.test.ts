import { describe, expect, it } from 'vitest';
import { StreamLimits } from '../../../src/http/graphql/stream-limits.js';
import { newId } from '../../../src/kernel/ids.js';
import type { Caller } from '../../../src/tenancy/caller.js';

const aCaller = (tenantId = newId()): Caller => ({
  ...{ kind: 'user', id: newId(), userId: newId(), tenantId, grants: new Set() },
});

describe('stream limits', () => {
  it('allow 20 streams of one caller, and one more when a stream ends', () => {
    const limits = new StreamLimits();
    const caller = aCaller();
    const [leave] = Array.from({ length: 20 }, () => limits.enter(caller));
    const tooMany = { code: 'TOO_MANY_REQUESTS', message: expect.stringContaining('At most 20'), retryAfter: 30 };
    expect(() => limits.enter(caller)).toThrow(expect.objectContaining(tooMany));
    limits.enter(aCaller(caller.tenantId));
    leave?.();
    limits.enter(caller);
    expect(limits.open).toBe(21);
  });

  it('allow 200 streams of one workspace and 1,000 of the process', () => {
    const limits = new StreamLimits();
    const tenants = Array.from({ length: 5 }, () => newId());
    for (const tenantId of tenants) {
      for (let nth = 0; nth < 200; nth++) limits.enter(aCaller(tenantId));
      expect(() => limits.enter(aCaller(tenantId))).toThrow('At most 200 streams of one workspace');
    }
    expect(() => limits.enter(aCaller())).toThrow('At most 1000 streams of one process');
    expect(limits.open).toBe(1_000);
  });
});
