import { pino } from 'pino';
import { ConfigError, readConfig } from '../../src/config.js';
import { type Service, startService } from '../../src/service.js';
import { StartupError } from '../../src/startup-error.js';
import { ON_A_COPY } from './database.js';

/** The service as `main` starts it, within this process, without the shipped catalog. */
export function started(env: Record<string, string>): Promise<Service> {
  return startService(readConfig({ PORT: '0', ...ON_A_COPY, ...env }), pino({ level: 'silent' }));
}

/** The line that a process ends with which is started like this. Throws where the service starts, or fails in a way that is not foreseen. */
export async function refusalOf(env: Record<string, string>): Promise<string> {
  let service: Service;
  try {
    service = await started(env);
  } catch (error) {
    if (error instanceof ConfigError || error instanceof StartupError) return error.message;
    throw error;
  }
  await service.stop();
  throw new Error('the service starts');
}
