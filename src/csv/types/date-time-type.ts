import { createDatetimeColumnType } from './datetime-column-type.js';

/** Local dates and times, without an offset. */
export const dateTimeType = createDatetimeColumnType('DateTime', 'a date and time', {
  hasDate: true,
  hasTime: true,
  hasOffset: false,
});
