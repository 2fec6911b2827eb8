import { type LevelWithSilent, type Logger, pino } from 'pino';
import { PinoPretty } from 'pino-pretty';

export type { Logger };

/** Writes JSON lines or, on a terminal, formatted lines. */
export function createLogger(level: LevelWithSilent): Logger {
  const options = { level, base: undefined, timestamp: () => `,"time":"${new Date().toISOString()}"` };
  if (!process.stdout.isTTY) return pino(options);
  return pino(options, PinoPretty({ translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname' }));
}
