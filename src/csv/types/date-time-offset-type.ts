import { createDatetimeColumnType } from './datetime-column-type.js';

/** The values may have different offsets. */
export const dateTimeOffsetType = createDatetimeColumnType('DateTimeOffset', 'a date and time with an offset', {
  hasDate: true,
  hasTime: true,
  hasOffset: true,
});
