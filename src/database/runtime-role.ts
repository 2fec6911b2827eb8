import { createHash, createHmac, pbkdf2Sync, scryptSync } from 'node:crypto';
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { RUNTIME_ROLE_LOCK } from '../kernel/concurrency/advisory-locks.js';
import { isSharedTable } from '../kernel/entities/shared-table.js';
import { JOBS_SCHEMA } from '../kernel/jobs/job-queue.js';
import { StartupError } from '../kernel/startup-error.js';

/**
 * The login of the service. Its role owns no tables and cannot bypass row level security, so the database enforces
 * tenant isolation even if the application has a bug.
 */
export interface RuntimeLogin {
  readonly url: string;
  readonly role: string;
  /** Undefined if an operator created the role. */
  readonly password: string | undefined;
}

/** PostgreSQL truncates longer names. */
const MAX_NAME_BYTES = 63;

/** The idle timeout ends a transaction whose client is lost. */
const ROLE_TIMEOUTS = { statement_timeout: '30s', idle_in_transaction_session_timeout: '20s' };

/**
 * If `runtimeUrl` is undefined, derives the login from `ownerUrl` and its password, so that all processes use the same
 * login. Throws `StartupError` if this password is missing.
 */
export function resolveRuntimeLogin(ownerUrl: string, runtimeUrl: string | undefined): RuntimeLogin {
  if (runtimeUrl)
    return { url: runtimeUrl, role: decodeURIComponent(new URL(runtimeUrl).username), password: undefined };
  const url = new URL(ownerUrl);
  const ownerPassword = url.searchParams.get('password') ?? decodeURIComponent(url.password);
  if (!ownerPassword)
    throw new StartupError(
      'DATABASE_URL has no password, but the service derives the runtime login from the password. Add a password, or set DATABASE_RUNTIME_URL',
    );
  const role = deriveRuntimeRole(ownerUrl);
  const password = scryptSync(ownerPassword, role, 32).toString('base64url');
  // These parameters would override the login.
  for (const parameter of ['user', 'password']) url.searchParams.delete(parameter);
  url.username = encodeURIComponent(role);
  url.password = password;
  return { url: url.href, role, password };
}

export function deriveRuntimeRole(ownerUrl: string): string {
  const database = decodeURIComponent(new URL(ownerUrl).pathname.slice(1));
  const name = `${database}_runtime`;
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name;
  return `taproot_${createHash('sha256').update(database).digest('hex').slice(0, 32)}_runtime`;
}

/**
 * Creates the role if necessary, and grants the service's rights to the role. Throws `StartupError` if
 * DATABASE_RUNTIME_URL names a role that does not exist.
 */
export async function prepareRuntimeRole(orm: MikroORM, { role, password }: RuntimeLogin): Promise<void> {
  const { em } = orm;
  const name = pg.escapeIdentifier(role);
  const [existing] = await em.execute('select 1 from pg_roles where rolname = ?', [role]);
  if (!existing && !password)
    throw new StartupError(`DATABASE_RUNTIME_URL: the role ${role} does not exist. Create the role`);
  if (!existing) await em.execute(`create role ${name} login noinherit`);
  if (password) {
    await em.execute(`alter role ${name} password '${scramSecret(password)}'`);
    await setLimits(em, role, Object.keys(ROLE_TIMEOUTS));
  }
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

/**
 * Throws `StartupError` if the role of the current connection owns tables, belongs to a role that owns tables, or can
 * bypass row level security.
 */
export async function requireUnprivilegedRole({ em }: MikroORM): Promise<void> {
  const [role] = await em.execute<{ name: string; mighty: boolean; owns: boolean }[]>(
    `select rolname as name, rolsuper or rolbypassrls as mighty, exists (
       select from pg_class where relnamespace in ('public'::regnamespace, '${JOBS_SCHEMA}'::regnamespace) and pg_has_role(current_user, relowner, 'member')
     ) as owns from pg_roles where rolname = current_user`,
  );
  if (!role || role.mighty || role.owns)
    throw new StartupError(
      `DATABASE_RUNTIME_URL: ${role?.name} must not be a superuser, bypass row level security, own tables of the service, or be a member of a role that owns them`,
    );
}

/**
 * Keeps timeouts that an operator has set. Returns true if the function set a timeout. The caller must then reconnect,
 * because a new timeout applies only to new connections.
 */
export async function ensureRoleTimeouts({ em }: MikroORM): Promise<boolean> {
  const names = Object.keys(ROLE_TIMEOUTS);
  const settings = names.map((name) => `current_setting('${name}') as ${name}`);
  const [{ role, ...own } = {}] = await em.execute<Record<string, string>[]>(
    `select current_user as role, ${settings.join(', ')}`,
  );
  const missing = names.filter((name) => own[name] === '0');
  if (missing.length === 0) return false;
  await em.transactional(async (tx) => {
    // Concurrent ALTER ROLE statements would fail.
    await tx.execute('select pg_advisory_xact_lock(?)', [RUNTIME_ROLE_LOCK]);
    await setLimits(tx, role as string, missing);
  });
  return true;
}

/**
 * Sets the timeouts for the role, not for the session, because a transaction pooler shares sessions between clients.
 */
async function setLimits(em: EntityManager, role: string, names: readonly string[]): Promise<void> {
  const [{ database } = {}] = await em.execute<{ database: string }[]>('select current_database() as database');
  const alter = `alter role ${pg.escapeIdentifier(role)} in database ${pg.escapeIdentifier(database as string)}`;
  for (const name of names)
    await em.execute(`${alter} set ${name} = '${ROLE_TIMEOUTS[name as keyof typeof ROLE_TIMEOUTS]}'`);
}

const SCRAM_ITERATIONS = 4_096;

/**
 * Returns the password verifier that PostgreSQL stores (RFC 5803), so that no statement contains the password. The salt
 * is derived from the password, which is as random as a key. Each start therefore sets the same verifier, which a
 * pooler may have cached.
 */
function scramSecret(password: string): string {
  const salt = createHmac('sha256', password).update('salt').digest().subarray(0, 16);
  const salted = pbkdf2Sync(password, salt, SCRAM_ITERATIONS, 32, 'sha256');
  const hmac = (text: string): Buffer => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest('base64');
  const serverKey = hmac('Server Key').toString('base64');
  return `SCRAM-SHA-256$${SCRAM_ITERATIONS}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}
