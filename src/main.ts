import 'reflect-metadata';
import { ConfigError, readConfig } from './config.js';
import { createLogger, type Logger } from './kernel/logger.js';
import { StartupError } from './kernel/startup-error.js';
import { type Service, startService } from './service.js';
import { issueLocalToken } from './tenancy/authentication/local-issuer.js';
import { DEMO_WORKSPACE, demoEmail } from './tenancy/workspaces/seed-demo.js';

async function main(): Promise<void> {
  const config = readConfig();
  const log = createLogger(config.logLevel);
  const starting = startService(config, log);
  stopOnSignal(starting, { SIGINT: 0, SIGTERM: config.shutdownDelaySeconds * 1_000 }, log);
  const { url, metricsUrl } = await starting;
  const token = config.seedDemo ? await issueLocalToken(config.dataDir, demoEmail('owner')) : undefined;
  console.log(`Taproot is running.
  Console   ${url}
  REST      ${url}/api/vendors/platform-vendors   reference: ${url}/api/docs   document: ${url}/api/openapi.json
  GraphQL   ${url}/graphql
  Health    ${url}/healthz  ${url}/readyz
  Metrics   ${metricsUrl}${token ? invitationToTry(url, token) : ''}`);
}

function invitationToTry(url: string, token: string): string {
  return `

Workspace ${DEMO_WORKSPACE} is ready to use. Example request as its owner:

  curl ${url}/api/users/me -H 'X-Tenant: ${DEMO_WORKSPACE}' -H 'Authorization: Bearer ${token}'
`;
}

/**
 * Stops the service cleanly at the first signal, even during the start. `delays` maps a signal to the milliseconds
 * before the stop. A second signal ends the process immediately.
 */
function stopOnSignal(starting: Promise<Service>, delays: Partial<Record<NodeJS.Signals, number>>, log: Logger): void {
  let isStopping = false;
  const stop = async (delay: number): Promise<void> => {
    if (isStopping) process.exit(1);
    isStopping = true;
    const service = await starting.catch(() => undefined); // If the start failed, `main` reports the reason.
    log.info({ delay }, 'stopping');
    await service?.stop(delay);
    log.info('stopped');
  };
  for (const [signal, delay] of Object.entries(delays)) {
    process.on(signal, () => {
      stop(delay).then(
        () => process.exit(),
        (error: Error) => {
          log.error({ cause: { name: error.name, message: error.message } }, 'stopping failed');
          process.exit(1);
        },
      );
    });
  }
}

main().catch((error: unknown) => {
  const expected = error instanceof ConfigError || error instanceof StartupError;
  console.error(expected ? error.message : error);
  process.exitCode = 1;
});
