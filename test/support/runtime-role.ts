import { createOrm } from '../../src/orm.js';
import { prepareRuntimeRole, runtimeLogin } from '../../src/runtime-role.js';
import type { TestDatabase } from './database.js';

/** The address at which the service itself would log in to this database, with all the rights that it has, and no more. */
export async function runtimeUrlOf({ url }: TestDatabase): Promise<string> {
  const owner = createOrm(url);
  const login = runtimeLogin(url, undefined);
  await prepareRuntimeRole(owner, login).finally(() => owner.close());
  return login.url;
}
