import { momentType } from './moment-type.js';

export const timeType = momentType('Time', 'a time', { hasDate: false, hasTime: true, hasOffset: false });
