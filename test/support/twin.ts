import { pino } from 'pino';
import { readConfig } from '../../src/config.js';
import { startService } from '../../src/service.js';
import { mintLocalToken } from '../../src/tenancy/local-issuer.js';
import { DEMO_WORKSPACE, demoAddress } from '../../src/tenancy/seed-demo.js';
import { aClient, type Client } from './service.js';

/** Asks another service, which has database and data folder in common with the first, as an editor. It is there while `work` lasts. */
export async function withTwin<Result>(
  { databaseUrl, dataDir }: { databaseUrl: string; dataDir: string },
  work: (editor: Client) => Promise<Result>,
): Promise<Result> {
  const settings = {
    ...{ PORT: '0', DATABASE_URL: databaseUrl, DATA_DIR: dataDir },
    ...{ EGRESS_ALLOW: '127.0.0.0/8', RATE_LIMITS: 'off', JOBS: 'off' },
  };
  const twin = await startService(readConfig(settings), pino({ level: 'silent' }));
  const authorization = async () => `Bearer ${await mintLocalToken(dataDir, demoAddress('editor'))}`;
  const headers = async () => ({ authorization: await authorization(), 'x-tenant': DEMO_WORKSPACE });
  return work(aClient(twin, headers)).finally(() => twin.stop());
}
