import { createDatetimeColumnType } from './datetime-column-type.js';

/** Type of local dates and times. The values have no offset. */
export const dateTimeType = createDatetimeColumnType('DateTime', 'a date and time', {
  hasDate: true,
  hasTime: true,
  hasOffset: false,
});
