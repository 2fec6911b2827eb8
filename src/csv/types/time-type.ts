import { createDatetimeColumnType } from './datetime-column-type.js';

export const timeType = createDatetimeColumnType('Time', 'a time', { hasDate: false, hasTime: true, hasOffset: false });
