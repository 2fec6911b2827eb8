import { createDatetimeColumnType } from './datetime-column-type.js';

export const dateTimeType = createDatetimeColumnType('DateTime', 'a date and time', {
  hasDate: true,
  hasTime: true,
  hasOffset: false,
});
