import { DatabaseError } from 'pg';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createJobErrorReporter } from '../../../src/http/report-error.js';
import { AppError } from '../../../src/kernel/errors.js';
import { JobQueueError } from '../../../src/kernel/jobs/jobs.js';

function lineOf(thrown: unknown, jobId?: string) {
  let line = '';
  const log = pino({ base: undefined, timestamp: false }, { write: (text: string) => (line += text) });
  createJobErrorReporter(log)(thrown, jobId);
  return JSON.parse(line);
}

describe('the log of jobs', () => {
  it('names the failed job and the cause', () => {
    const line = lineOf(new TypeError('no such thing'), 'job-1');
    expect(line).toMatchObject({
      msg: 'job failed',
      jobId: 'job-1',
      cause: { name: 'TypeError', message: 'no such thing' },
    });
    expect(lineOf(new AppError('NOT_FOUND', 'Nothing there.'), 'job-1')).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('keeps only the SQLSTATE of a PostgreSQL error, because its message quotes values', () => {
    const error = Object.assign(new DatabaseError('duplicate key ada@example.com', 0, 'error'), {
      code: '23505',
      detail: 'Key (email)=(ada@example.com) already exists.',
    });
    const line = lineOf(error, 'job-1');
    expect(JSON.stringify(line)).not.toContain('ada@example.com');
    expect(line.cause).toEqual({ name: 'error', code: '23505' });
  });

  it('distinguishes errors of the queue itself', () => {
    const line = lineOf(new JobQueueError('ECONNREFUSED'));
    expect(line).toMatchObject({ msg: 'the job queue could not query its database', cause: { code: 'ECONNREFUSED' } });
  });
});
