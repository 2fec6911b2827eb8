import { createDatetimeColumnType } from './datetime-column-type.js';

/** Type of dates and times with a UTC offset. The offsets of values may differ. */
export const dateTimeOffsetType = createDatetimeColumnType('DateTimeOffset', 'a date and time with an offset', {
  hasDate: true,
  hasTime: true,
  hasOffset: true,
});
