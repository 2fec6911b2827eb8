import { describe, expect, it } from 'vitest';
import { domains } from '../../../src/domains.js';

/** What happens to a table plans these anew. */
const PLANNED_AGAIN = ['table-compaction'];

describe('background jobs', () => {
  it('outlast a year of a service that is off, unless something plans them again', () => {
    const queues = domains.flatMap(({ jobs = [] }) => jobs);
    expect(queues.length).toBeGreaterThan(8);
    const short = queues.filter(({ retentionDays = 14 }) => retentionDays < 365).map(({ name }) => name);
    expect(short).toEqual(PLANNED_AGAIN);
  });
});
