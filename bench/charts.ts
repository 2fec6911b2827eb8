import { printRates } from './charts/measure-rates.js';
import { printWeeks } from './charts/measure-weeks.js';

printRates();
printWeeks();
