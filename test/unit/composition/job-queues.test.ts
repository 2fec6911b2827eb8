import { describe, expect, it } from 'vitest';
import { domains } from '../../../src/domains.js';
import type { DomainManifest } from '../../../src/kernel/entities/domain-manifest.js';
import { type JobQueue, type JobSelection, selectJobs } from '../../../src/kernel/jobs/job-queue.js';

/** The next change to the table enqueues these jobs again. */
const PLANNED_AGAIN = ['table-compaction'];

const queues = domains.flatMap<JobQueue>(({ jobs = [] }: DomainManifest) => jobs);

describe('background jobs', () => {
  it('retain jobs while the service is off for a year, unless they are planned again', () => {
    expect(queues.length).toBeGreaterThan(8);
    const short = queues.filter(({ retentionDays = 14 }) => retentionDays < 365).map(({ name }) => name);
    expect(short).toEqual(PLANNED_AGAIN);
  });

  it('are split between processes with JOBS=pull and JOBS=rest, and none runs with JOBS=off', () => {
    const namesOf = (selection: JobSelection) => selectJobs(queues, selection).map(({ name }) => name);
    expect(namesOf('pull')).toEqual(['sync-tap-step']);
    expect([...namesOf('pull'), ...namesOf('rest')].sort()).toEqual(namesOf('all').sort());
    expect(namesOf('all')).toHaveLength(queues.length);
    expect(namesOf('off')).toEqual([]);
  });
});
