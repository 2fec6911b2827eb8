import 'reflect-metadata';
import { ConfigError, readConfig } from './config.js';
import { createLog } from './log.js';
import { type Service, startService } from './service.js';
import { StartupError } from './startup-error.js';

async function main(): Promise<void> {
  const config = readConfig();
  const log = createLog(config.logLevel);
  const service = await startService(config, log);
  stopOnSignal(service, () => log.info('stopped'));
  const { url } = service;
  console.log(`Taproot is up.
  REST      ${url}/api/vendors/platform-vendors   reference: ${url}/api/docs   document: ${url}/api/openapi.json
  GraphQL   ${url}/graphql
  Health    ${url}/healthz  ${url}/readyz  ${url}/metrics`);
}

/** The first SIGINT or SIGTERM stops cleanly, a second one at once. */
function stopOnSignal(service: Service, stopped: () => void): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, async () => {
      process.on(signal, () => process.exit(1));
      await service.stop();
      stopped();
    });
  }
}

main().catch((error: unknown) => {
  const expected = error instanceof ConfigError || error instanceof StartupError;
  console.error(expected ? error.message : error);
  process.exitCode = 1;
});
