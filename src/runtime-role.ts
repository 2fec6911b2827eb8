import { createHash, createHmac, pbkdf2Sync, randomBytes, scryptSync } from 'node:crypto';
import type { MikroORM } from '@mikro-orm/postgresql';
import { StartupError } from './startup-error.js';

/**
 * The role that the service logs in as. It owns nothing and cannot bypass row level security, so that whatever the
 * application forgets, the database does not. The schema belongs to the role of DATABASE_URL.
 */
export interface RuntimeLogin {
  readonly url: string;
  readonly role: string;
  /** None: an operator has made the role. */
  readonly password: string | undefined;
}

/** PostgreSQL cuts names at 63 bytes. */
const NAME_LENGTH = 63;

/** The login that DATABASE_RUNTIME_URL names, or one derived from the owner's, the same for every process that knows that. */
export function runtimeLogin(ownerUrl: string, runtimeUrl: string | undefined): RuntimeLogin {
  if (runtimeUrl)
    return { url: runtimeUrl, role: decodeURIComponent(new URL(runtimeUrl).username), password: undefined };
  const url = new URL(ownerUrl);
  if (!url.password)
    throw new StartupError('DATABASE_URL: has no password to derive another login from; set DATABASE_RUNTIME_URL');
  const role = roleOf(decodeURIComponent(url.pathname.slice(1)));
  const password = scryptSync(decodeURIComponent(url.password), role, 32).toString('base64url');
  url.username = encodeURIComponent(role);
  url.password = password;
  return { url: url.href, role, password };
}

function roleOf(database: string): string {
  const name = `${database}_runtime`;
  if (Buffer.byteLength(name) <= NAME_LENGTH) return name;
  return `taproot_${createHash('sha256').update(database).digest('hex').slice(0, 32)}_runtime`;
}

/** Makes the role where it is missing, and gives it what it needs: the catalog to read, the rows of workspaces to write. */
export async function prepareRuntimeRole(orm: MikroORM, { role, password }: RuntimeLogin): Promise<void> {
  const { em } = orm;
  const name = `"${role.replaceAll('"', '""')}"`;
  if (password) {
    const [existing] = await em.execute('select 1 from pg_roles where rolname = ?', [role]);
    if (!existing) await em.execute(`create role ${name} login noinherit`);
    await em.execute(`alter role ${name} password '${scramSecret(password)}'`);
  }
  await requireHarmless(orm, role);
  const tables = [...orm.getMetadata().getAll().values()].filter(({ abstract, tableName }) => !abstract && tableName);
  const grants = tables.map(({ tableName, rowLevelSecurity }) => {
    const rights = rowLevelSecurity ? 'select, insert, update, delete' : 'select';
    return `grant ${rights} on "${tableName}" to ${name};`;
  });
  await em.execute(`grant usage on schema public to ${name}; ${grants.join(' ')}`);
}

async function requireHarmless({ em }: MikroORM, role: string): Promise<void> {
  const [found] = await em.execute<{ mighty: boolean; owns: boolean }[]>(
    `select rolsuper or rolbypassrls as mighty, exists (
       select from pg_class where relowner = pg_roles.oid and relnamespace = 'public'::regnamespace
     ) as owns from pg_roles where rolname = ?`,
    [role],
  );
  if (!found) throw new StartupError(`DATABASE_RUNTIME_URL: there is no role ${role}`);
  if (found.mighty || found.owns)
    throw new StartupError(`DATABASE_RUNTIME_URL: ${role} must be an ordinary role that owns none of the tables`);
}

const ITERATIONS = 4_096;

/** What PostgreSQL keeps of a password (RFC 5803), so that the password itself stands in no statement and no log. */
function scramSecret(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const hmac = (text: string): Buffer => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest('base64');
  const serverKey = hmac('Server Key').toString('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}
