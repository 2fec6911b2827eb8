import { createDatetimeColumnType } from './datetime-column-type.js';

/** Without an offset: nobody says which place the clock hangs in. */
export const dateTimeType = createDatetimeColumnType('DateTime', 'a date and time', {
  hasDate: true,
  hasTime: true,
  hasOffset: false,
});
