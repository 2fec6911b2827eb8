import { momentType } from './moment-type.js';

/** Without an offset: nobody says which place the clock hangs in. */
export const dateTimeType = momentType('DateTime', 'a date and time', {
  hasDate: true,
  hasTime: true,
  hasOffset: false,
});
