import { momentType } from './moment-type.js';

/** With an offset from UTC at every value, of whatever size. */
export const dateTimeOffsetType = momentType('DateTimeOffset', 'a date and time with an offset', {
  hasDate: true,
  hasTime: true,
  hasOffset: true,
});
