import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { readConfig } from '../src/config.js';
import { issueLocalToken } from '../src/tenancy/authentication/local-issuer.js';
import { DEMO_WORKSPACE, demoEmail } from '../src/tenancy/workspaces/seed-demo.js';

const { values } = parseArgs({
  options: {
    workspace: { type: 'string', default: DEMO_WORKSPACE },
    email: { type: 'string', default: demoEmail('owner') },
  },
});
const { auth, dataDir, publicUrl, host, port } = readConfig();
if (auth) {
  console.error(`AUTH_ISSUER is set, so the local issuer is off. Request a token from ${auth.issuer}.`);
  process.exit(1);
}
const token = await issueLocalToken(dataDir, values.email).catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
const url = process.env.TAPROOT_URL ?? publicUrl ?? `http://${host}:${port}`;
const headers = { Authorization: `Bearer ${token}`, 'X-Tenant': values.workspace };
const refusal = await fetch(`${url}/api/users/me`, { headers }).then(
  async (reply) => (reply.ok ? undefined : ((await reply.json()) as { error: string }).error),
  () => undefined, // Ignores the failure, because the token is valid even if the service is not running.
);
if (refusal) {
  console.error(`${url} rejects ${values.email} in workspace ${values.workspace}: ${refusal}`);
  process.exit(1);
}
console.log(token);
