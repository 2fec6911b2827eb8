import { createOrm } from '../../../src/database/orm.js';
import { prepareRuntimeRole, type RuntimeLogin, resolveRuntimeLogin } from '../../../src/database/runtime-role.js';
import type { TestDatabase } from './database.js';

const logins = new Map<string, RuntimeLogin>();

/** How the service itself logs in to this database. Derived once: that is made to take its time. */
export function loginTo({ databaseUrl }: { databaseUrl: string }): RuntimeLogin {
  const login = logins.get(databaseUrl) ?? resolveRuntimeLogin(databaseUrl, undefined);
  logins.set(databaseUrl, login);
  return login;
}

/** The address of that login, once the role is there and has all the rights that it has, and no more. */
export async function runtimeUrlOf({ url }: TestDatabase): Promise<string> {
  const owner = createOrm(url);
  const login = loginTo({ databaseUrl: url });
  await prepareRuntimeRole(owner, login).finally(() => owner.close());
  return login.url;
}
