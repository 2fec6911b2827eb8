import { createOrm } from '../../../src/database/orm.js';
import { prepareRuntimeRole, type RuntimeLogin, resolveRuntimeLogin } from '../../../src/database/runtime-role.js';
import type { TestDatabase } from './database.js';

const logins = new Map<string, RuntimeLogin>();

/** Cached, because the derivation of the login is deliberately slow. */
export function loginTo({ databaseUrl }: { databaseUrl: string }): RuntimeLogin {
  const login = logins.get(databaseUrl) ?? resolveRuntimeLogin(databaseUrl, undefined);
  logins.set(databaseUrl, login);
  return login;
}

/** Creates the runtime role and returns the URL of its login. */
export async function runtimeUrlOf({ url }: TestDatabase): Promise<string> {
  const owner = createOrm(url);
  const login = loginTo({ databaseUrl: url });
  await prepareRuntimeRole(owner, login).finally(() => owner.close());
  return login.url;
}
