import { createDatetimeColumnType } from './datetime-column-type.js';

/** With an offset from UTC at every value, of whatever size. */
export const dateTimeOffsetType = createDatetimeColumnType('DateTimeOffset', 'a date and time with an offset', {
  hasDate: true,
  hasTime: true,
  hasOffset: true,
});
