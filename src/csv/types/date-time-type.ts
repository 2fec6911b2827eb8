import { createDatetimeColumnType } from './datetime-column-type.js';

/** Local date and time: the values have no offset. */
export const dateTimeType = createDatetimeColumnType('DateTime', 'a date and time', {
  hasDate: true,
  hasTime: true,
  hasOffset: false,
});
