import { createHash, createHmac, pbkdf2Sync, randomBytes, scryptSync } from 'node:crypto';
import type { MikroORM } from '@mikro-orm/postgresql';
import { JOBS_SCHEMA } from './kernel/job-queue.js';
import { isSharedTable } from './kernel/shared-table.js';
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
  const ownerPassword = url.searchParams.get('password') ?? decodeURIComponent(url.password);
  if (!ownerPassword)
    throw new StartupError('DATABASE_URL: has no password to derive another login from; set DATABASE_RUNTIME_URL');
  const role = derivedRole(ownerUrl);
  const password = scryptSync(ownerPassword, role, 32).toString('base64url');
  for (const parameter of ['user', 'password']) url.searchParams.delete(parameter); // they would come before what stands in front of the host
  url.username = encodeURIComponent(role);
  url.password = password;
  return { url: url.href, role, password };
}

/** The name of the role of that login. */
export function derivedRole(ownerUrl: string): string {
  const database = decodeURIComponent(new URL(ownerUrl).pathname.slice(1));
  const name = `${database}_runtime`;
  if (Buffer.byteLength(name) <= NAME_LENGTH) return name;
  return `taproot_${createHash('sha256').update(database).digest('hex').slice(0, 32)}_runtime`;
}

/** Makes the role where it is missing, and gives it what it needs: the catalog to read, the rows of workspaces, shared ones and jobs to write. */
export async function prepareRuntimeRole(orm: MikroORM, { role, password }: RuntimeLogin): Promise<void> {
  const { em } = orm;
  const name = `"${role.replaceAll('"', '""')}"`;
  const [existing] = await em.execute('select 1 from pg_roles where rolname = ?', [role]);
  if (!existing && !password) throw new StartupError(`DATABASE_RUNTIME_URL: there is no role ${role}`);
  if (!existing) await em.execute(`create role ${name} login noinherit`);
  if (password) await em.execute(`alter role ${name} password '${scramSecret(password)}'`);
  const tables = [...orm.getMetadata().getAll().values()].filter(({ abstract, tableName }) => !abstract && tableName);
  const grants = tables.map(({ tableName, rowLevelSecurity, class: entity }) => {
    const rights = rowLevelSecurity || isSharedTable(entity) ? 'select, insert, update, delete' : 'select';
    return `grant ${rights} on "${tableName}" to ${name};`;
  });
  await em.execute(
    `grant usage on schema public, ${JOBS_SCHEMA} to ${name}; ${grants.join(' ')}
     grant select, insert, update, delete on all tables in schema ${JOBS_SCHEMA} to ${name};
     grant usage on all sequences in schema ${JOBS_SCHEMA} to ${name};
     grant execute on all functions in schema ${JOBS_SCHEMA} to ${name};`,
  );
}

/** Checks the role that is logged in as, however the address came to name it. */
export async function requireHarmless({ em }: MikroORM): Promise<void> {
  const [role] = await em.execute<{ name: string; mighty: boolean; owns: boolean }[]>(
    `select rolname as name, rolsuper or rolbypassrls as mighty, exists (
       select from pg_class where relnamespace in ('public'::regnamespace, '${JOBS_SCHEMA}'::regnamespace) and pg_has_role(current_user, relowner, 'member')
     ) as owns from pg_roles where rolname = current_user`,
  );
  if (!role || role.mighty || role.owns)
    throw new StartupError(
      `DATABASE_RUNTIME_URL: ${role?.name} must be an ordinary role that owns none of the tables, and no member of one that does`,
    );
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
