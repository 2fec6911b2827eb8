import { issueLocalToken } from '../../../src/tenancy/authentication/local-issuer.js';

const issued = new Map<string, Promise<string>>();
let second = 0;

/**
 * A token of the local issuer for this address. Requests within a second share it, because their tokens have the same
 * time of issue. Signing a token per request takes 3 % of the CPU time of the tests.
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
