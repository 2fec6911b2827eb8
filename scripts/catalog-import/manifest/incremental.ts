import type { TapSync } from '../../../src/catalog/model/tap-sync.js';
import type { Notes } from '../notes.js';
import type { Component } from './component.js';

const FORMATS: readonly (readonly [pattern: RegExp, format: string])[] = [
  [/^%s$/, 'epoch_seconds'],
  [/^%ms$/, 'epoch_millis'],
  [/^%Y-%m-%d$/, 'date'],
  [/^%Y-%m-%dT%H:%M:%S(\.%f|\.%_ms|\.000)?(Z|%z|\+00:00)?$/, 'iso8601'],
];

/** Converts a time-based cursor to an incremental read. For any other cursor, returns a full read and adds a note. */
export function readIncremental(cursor: Component | undefined, part: string, notes: Notes): TapSync {
  if (!cursor) return { mode: 'full' };
  const cursorField = cursor.text('cursor_field');
  if (cursor.type !== 'DatetimeBasedCursor' || !cursorField || cursorField.includes('{')) {
    notes.todo(part, cursor.pointer, `set sync; the command cannot convert ${cursor.type || 'this cursor'}`);
    return { mode: 'full' };
  }
  const sinceParam = parameterOf(cursor.child('start_time_option'));
  const untilParam = parameterOf(cursor.child('end_time_option'));
  const given = cursor.text('datetime_format') ?? '';
  const format = FORMATS.find(([pattern]) => pattern.test(given))?.[1];
  if (!sinceParam) notes.todo(part, cursor.pointer, 'set incrementalParams; the requests have no start parameter');
  if (!format) notes.todo(part, cursor.pointer, `set sinceFormat; the command cannot convert the format ${given}`);
  if (cursor.value('step') !== undefined)
    notes.check(part, cursor.pointer, 'check maxWindowDays; the file sets a step');
  return {
    mode: 'incremental',
    cursorField,
    ...(sinceParam
      ? { incrementalParams: { sinceParam, ...(untilParam && { untilParam }), ...(format && { sinceFormat: format }) } }
      : { filterByCursor: true }),
  };
}

function parameterOf(option: Component | undefined): string | undefined {
  return option?.text('inject_into') === 'request_parameter' ? option.text('field_name') : undefined;
}
