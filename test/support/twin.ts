import { mintLocalToken } from '../../src/tenancy/local-issuer.js';
import { DEMO_WORKSPACE, demoAddress } from '../../src/tenancy/seed-demo.js';
import { aClient, type Client } from './service.js';
import { started } from './starts.js';

/** Asks another service, which has database and data folder in common with the first, as an editor. It is there while `work` lasts. */
export async function withTwin<Result>(
  { databaseUrl, dataDir }: { databaseUrl: string; dataDir: string },
  work: (editor: Client) => Promise<Result>,
): Promise<Result> {
  const twin = await started({
    ...{ DATABASE_URL: databaseUrl, DATA_DIR: dataDir },
    ...{ EGRESS_ALLOW: '127.0.0.0/8', RATE_LIMITS: 'off', JOBS: 'off' },
  });
  const authorization = async () => `Bearer ${await mintLocalToken(dataDir, demoAddress('editor'))}`;
  const headers = async () => ({ authorization: await authorization(), 'x-tenant': DEMO_WORKSPACE });
  return work(aClient(twin, headers)).finally(() => twin.stop());
}
