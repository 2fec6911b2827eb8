import { describe, expect, it } from 'vitest';
import { compileTimeFormat } from '../../../src/kernel/formats/time-format.js';

const TIME = new Date('2026-01-31T23:59:59.123Z');
const WHOLE_DAY = new Date('2026-03-01T00:00:00Z');

describe('a time format', () => {
  it.each<[string, string | number, string | number]>([
    ['iso8601', '2026-01-31T23:59:59Z', '2026-02-01T00:00:00Z'],
    ["yyyy-MM-dd'T'HH:mm:ss.SSS'Z'", '2026-01-31T23:59:59.123Z', '2026-01-31T23:59:59.123Z'],
    ["yyyy-MM-dd'T'HH:mm:ss.SXXX", '2026-01-31T23:59:59.1Z', '2026-01-31T23:59:59.2Z'],
    ["yyyy-MM-dd'T'HH:mm:ss.SSSSSSxxx", '2026-01-31T23:59:59.123000+00:00', '2026-01-31T23:59:59.123000+00:00'],
    ['yyyyMMddHHmmssxx', '20260131235959+0000', '20260201000000+0000'],
    ['d/M/yyyy H:mm z', '31/1/2026 23:59 UTC', '1/2/2026 0:00 UTC'],
    ['epoch_seconds', 1769903999, 1769904000],
    ['epoch_millis', 1769903999123, 1769903999123],
  ])('%s rounds the start down and the end up', (format, start, end) => {
    const compiled = compileTimeFormat(format);
    expect([compiled?.formatStart(TIME), compiled?.formatEnd(TIME)]).toEqual([start, end]);
  });

  it.each([
    ['iso8601', '2026-03-01T00:00:00Z'],
    ['epoch_seconds', 1772323200],
  ])('%s does not change whole units', (format, text) => {
    const compiled = compileTimeFormat(format);
    expect([compiled?.formatStart(WHOLE_DAY), compiled?.formatEnd(WHOLE_DAY)]).toEqual([text, text]);
  });

  it.each([
    ['yyyy-MM-dd HH:mm', '2026-02-28 12:00', '2026-03-01 14:00'],
    ['date', '2026-02-28', '2026-03-02'],
  ])('%s has no time zone, so it includes the window of each time zone', (format, start, end) => {
    const compiled = compileTimeFormat(format);
    expect([compiled?.formatStart(WHOLE_DAY), compiled?.formatEnd(WHOLE_DAY)]).toEqual([start, end]);
  });

  it.each(['', 'epoch', 'yyyy-MM', 'HH:mm', "yyyy-MM-dd'T", 'yyyy-MM-dd QQ', 'YYYY-MM-dd', 'toString'])(
    '%j is not supported',
    (format) => expect(compileTimeFormat(format)).toBeUndefined(),
  );
});
