import { momentType } from './moment-type.js';

export const dateType = momentType('Date', 'a date', { hasDate: true, hasTime: false, hasOffset: false });
