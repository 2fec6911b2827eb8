import { describe, expect, it } from 'vitest';
import { nextRunAt } from '../../../src/syncs/schedules/next-run-at.js';

const MINUTE = 60_000;
const NOON = new Date('2026-03-28T12:00:00Z');
const IDS = Array.from({ length: 1_000 }, (_, nth) => `connection-${nth}`);
const minutesAfterNoon = (time: Date | undefined) => (Number(time) - Number(NOON)) / MINUTE;

describe('nextRunAt', () => {
  it('returns no time for a manual schedule', () => {
    expect(nextRunAt({ timezone: 'UTC' }, 'a', NOON)).toBeUndefined();
  });

  it('spreads connections evenly over the interval', () => {
    const times = IDS.map((id) => minutesAfterNoon(nextRunAt({ intervalMinutes: 60, timezone: 'UTC' }, id, NOON)));
    expect(Math.min(...times)).toBeGreaterThan(0);
    expect(Math.max(...times)).toBeLessThanOrEqual(60);
    const perTenMinutes = [0, 10, 20, 30, 40, 50].map((from) => times.filter((t) => t > from && t <= from + 10).length);
    for (const count of perTenMinutes) expect(count).toBeGreaterThan(100);
  });

  it('repeats after exactly the interval', () => {
    for (const id of IDS.slice(0, 20)) {
      const first = nextRunAt({ intervalMinutes: 15, timezone: 'UTC' }, id, NOON) as Date;
      const second = nextRunAt({ intervalMinutes: 15, timezone: 'UTC' }, id, first) as Date;
      expect(Math.abs(Number(second) - Number(first) - 15 * MINUTE)).toBeLessThan(2);
    }
  });

  it('starts within a minute of a cron time, in its time zone', () => {
    // At this date, before summer time, 14:30 in Berlin is 13:30 UTC.
    const schedule = { cron: '30 14 * * *', timezone: 'Europe/Berlin' };
    for (const id of IDS.slice(0, 50)) {
      const minutes = minutesAfterNoon(nextRunAt(schedule, id, NOON));
      expect(minutes).toBeGreaterThanOrEqual(90);
      expect(minutes).toBeLessThan(91);
    }
  });

  it('returns each cron time once, although the sync starts up to a minute later', () => {
    const schedule = { cron: '0 13 * * *', timezone: 'UTC' };
    for (const id of IDS.slice(0, 50)) {
      const first = nextRunAt(schedule, id, NOON) as Date;
      const second = nextRunAt(schedule, id, first) as Date;
      expect(Number(second) - Number(first)).toBe(24 * 60 * MINUTE);
    }
  });

  it.each([
    ['within a day', { from: 11 * 60, until: 15 * 60 }, 180],
    ['over midnight', { from: 11 * 60, until: 2 * 60 }, 14 * 60],
  ])('moves a start in quiet hours %s to their end', (_, quietHours, expected) => {
    for (const id of IDS.slice(0, 50)) {
      const minutes = minutesAfterNoon(nextRunAt({ intervalMinutes: 30, timezone: 'UTC', quietHours }, id, NOON));
      expect(minutes).toBeGreaterThanOrEqual(expected);
      expect(minutes).toBeLessThan(expected + 1);
    }
  });

  it('leaves a start outside the quiet hours unchanged', () => {
    const schedule = { intervalMinutes: 30, timezone: 'UTC' };
    const quietHours = { from: 14 * 60, until: 15 * 60 };
    expect(nextRunAt({ ...schedule, quietHours }, 'a', NOON)).toEqual(nextRunAt(schedule, 'a', NOON));
  });
});
