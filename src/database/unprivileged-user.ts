import { spawn } from 'node:child_process';
import { chown, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * If the service runs as root, the account is a user who owns only the database folder. Otherwise it is the current
 * user.
 */
export interface OsAccount {
  readonly user?: User;
  /** Command that switches to the user. If undefined, `spawn` sets the user id and group id. */
  readonly via?: readonly string[];
}

interface User {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

export interface CommandResult {
  readonly ok: boolean;
  readonly stderr: string;
}

/**
 * PostgreSQL does not run as root. For root, returns an unprivileged account, makes it the owner of `folder`, and
 * checks that it can run `program` there.
 */
export async function findOsAccount(folder: string, program: string): Promise<OsAccount> {
  if (process.getuid?.() !== 0) return {};
  const user = (await ownerOf(join(folder, 'data'))) ?? (await unprivilegedUser());
  await chown(folder, user.uid, user.gid);
  let reason = '';
  for (const account of [{ user }, passingClosedFolders(user)]) {
    const { ok, stderr } = await runAs(account, ['/bin/sh', '-c', 'cd "$1" && "$2" -V', 'sh', folder, program], folder);
    if (ok) return account;
    reason = extractFailureReason(stderr);
  }
  throw new Error(
    `PostgreSQL does not run as root. The user ${user.name} cannot run PostgreSQL in ${folder} (${reason}). ` +
      'Allow this user to read the folder and the project, start the service as an ordinary user, or set DATABASE_URL',
  );
}

export function runAs({ user, via }: OsAccount, command: readonly string[], cwd: string): Promise<CommandResult> {
  const [program = '', ...args] = [...(via ?? []), ...command];
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      ...(user && !via ? { uid: user.uid, gid: user.gid } : {}),
      cwd,
      env: environment(),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('error', (error) => resolve({ ok: false, stderr: error.message }));
    child.on('close', (code, signal) => {
      const end = signal ? `ended by signal ${signal}` : `ended with exit code ${code}`;
      resolve({ ok: code === 0, stderr: stderr || end });
    });
  });
}

/** `text` is PostgreSQL's stderr or log. */
export function extractFailureReason(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim());
  const line =
    lines.findLast((candidate) => /\b(FATAL|PANIC|error):/i.test(candidate)) ?? lines.at(-1) ?? 'no reason given';
  const reason = line.replace(/^.*?(?=(FATAL|PANIC|ERROR|LOG): )/, '').replace(/\s+/g, ' ');
  // The PostgreSQL package links its libraries in an install script, which npm may be configured to skip.
  return reason.includes('loading shared libraries') ? `${reason.trim()}. Try "npm rebuild"` : reason.trim();
}

/** The user that runs PostgreSQL must own its data. */
async function ownerOf(data: string): Promise<User | undefined> {
  const { uid, gid } = await stat(data).catch(() => ({ uid: 0, gid: 0 }));
  return uid === 0 ? undefined : { name: `user ${uid}`, uid, gid };
}

async function unprivilegedUser(): Promise<User> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  for (const wanted of ['postgres', 'nobody']) {
    const [name, , uid, gid] = lines.find((fields) => fields[0] === wanted) ?? [];
    if (name && Number(uid) > 0) return { name, uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(
    'The service runs as root, but PostgreSQL cannot run as root. The file /etc/passwd contains no user "postgres" or "nobody" that could run PostgreSQL. ' +
      'Start the service as an ordinary user, or set DATABASE_URL',
  );
}

/**
 * Folders that belong to root are often closed to other users. The capability dac_read_search lets the user traverse
 * them, but not write to them. Without the secure bit no_setuid_fixup, access(2) ignores the capability. initdb and
 * pg_ctl call access(2) to find postgres.
 */
function passingClosedFolders(user: User): OsAccount {
  const ids = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', '--securebits=+no_setuid_fixup'];
  const caps = '-all,+dac_read_search';
  return { user, via: ['setpriv', ...ids, `--inh-caps=${caps}`, `--ambient-caps=${caps}`, '--'] };
}

/** Omits variables such as PGDATA, which would affect the programs. `LC_ALL` selects messages in English. */
function environment(): NodeJS.ProcessEnv {
  const ours = Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG)/.test(name));
  return { ...Object.fromEntries(ours), LC_ALL: 'C' };
}
