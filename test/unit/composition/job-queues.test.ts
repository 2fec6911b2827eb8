import { describe, expect, it } from 'vitest';
import { domains } from '../../../src/domains.js';

/** Queues whose jobs are planned again after the next change to the table. */
const PLANNED_AGAIN = ['table-compaction'];

describe('background jobs', () => {
  it('retain jobs while the service is off for a year, unless they are planned again', () => {
    const queues = domains.flatMap(({ jobs = [] }) => jobs);
    expect(queues.length).toBeGreaterThan(8);
    const short = queues.filter(({ retentionDays = 14 }) => retentionDays < 365).map(({ name }) => name);
    expect(short).toEqual(PLANNED_AGAIN);
  });
});
