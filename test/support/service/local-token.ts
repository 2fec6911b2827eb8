import { issueLocalToken } from '../../../src/tenancy/authentication/local-issuer.js';

const issued = new Map<string, Promise<string>>();
let second = 0;

/**
 * Calls within a second return the same token, because a new token would have the same time of issue. Signing a token
 * per request would take 3 % of the CPU time of the tests.
 */
export function localTokenOf(dataDir: string, email: string): Promise<string> {
  const now = Math.floor(Date.now() / 1_000);
  if (now !== second) issued.clear();
  second = now;
  const key = `${dataDir} ${email}`;
  const token = issued.get(key) ?? issueLocalToken(dataDir, email);
  issued.set(key, token);
  return token;
}
