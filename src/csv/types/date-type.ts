import { createDatetimeColumnType } from './datetime-column-type.js';

export const dateType = createDatetimeColumnType('Date', 'a date', { hasDate: true, hasTime: false, hasOffset: false });
