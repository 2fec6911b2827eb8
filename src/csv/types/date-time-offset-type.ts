import { createDatetimeColumnType } from './datetime-column-type.js';

/** Every value has a UTC offset; the offsets may differ. */
export const dateTimeOffsetType = createDatetimeColumnType('DateTimeOffset', 'a date and time with an offset', {
  hasDate: true,
  hasTime: true,
  hasOffset: true,
});
