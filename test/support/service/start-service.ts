import { pino } from 'pino';
import { ConfigError, readConfig } from '../../../src/config.js';
import { StartupError } from '../../../src/kernel/startup-error.js';
import { type Service, startService } from '../../../src/service.js';
import { CLONED_DATABASE_ENV } from '../database/database.js';

/** Starts the service like `main`, within this process and without loading the bundled catalog. */
export function startTestService(env: Record<string, string>): Promise<Service> {
  return startService(readConfig({ PORT: '0', ...CLONED_DATABASE_ENV, ...env }), pino({ level: 'silent' }));
}

/**
 * Returns the message of the `ConfigError` or `StartupError`. Throws if the service starts, or if it fails with a
 * different error.
 */
export async function startupErrorOf(env: Record<string, string>): Promise<string> {
  let service: Service;
  try {
    service = await startTestService(env);
  } catch (error) {
    if (error instanceof ConfigError || error instanceof StartupError) return error.message;
    throw error;
  }
  await service.stop();
  throw new Error('the service started');
}
