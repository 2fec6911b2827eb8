import { issueLocalToken } from '../../../src/tenancy/authentication/local-issuer.js';
import { DEMO_WORKSPACE, demoEmail } from '../../../src/tenancy/workspaces/seed-demo.js';
import { aClient, type Client } from './service.js';
import { startTestService } from './start-service.js';

/** Both services share the database and the data folder. */
export async function withSecondService<Result>(
  { databaseUrl, dataDir }: { databaseUrl: string; dataDir: string },
  work: (editor: Client) => Promise<Result>,
): Promise<Result> {
  const secondService = await startTestService({
    ...{ DATABASE_URL: databaseUrl, DATA_DIR: dataDir },
    ...{ EGRESS_ALLOW: '127.0.0.0/8', RATE_LIMITS: 'off', INITIAL_SYNC: 'off', JOBS: 'off' },
  });
  const authorization = async () => `Bearer ${await issueLocalToken(dataDir, demoEmail('editor'))}`;
  const headers = async () => ({ authorization: await authorization(), 'x-tenant': DEMO_WORKSPACE });
  return work(aClient(secondService, headers)).finally(() => secondService.stop());
}
