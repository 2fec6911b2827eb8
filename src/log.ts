import { type Logger, pino } from 'pino';
import { PinoPretty } from 'pino-pretty';
import type { Config } from './config.js';

export type { Logger };

/** JSON lines, or readable ones on a terminal. */
export function createLog(level: Config['logLevel']): Logger {
  const options = { level, base: undefined, timestamp: () => `,"time":"${new Date().toISOString()}"` };
  if (!process.stdout.isTTY) return pino(options);
  return pino(options, PinoPretty({ translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname' }));
}
