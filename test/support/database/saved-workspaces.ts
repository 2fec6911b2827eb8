import pg from 'pg';
import { deriveRuntimeRole } from '../../../src/database/runtime-role.js';
import { queryAsOwner } from './owner-queries.js';
import { withOwnerSession } from './owner-sessions.js';

interface Table {
  readonly name: string;
  readonly isWritable: boolean;
  /** Condition on the rows of the workspace with the slug `$1`. Null for tables whose rows belong to no workspace. */
  readonly condition: string | null;
}

/** A database that several test files use one after another. */
interface SharedDatabase {
  readonly tables: readonly Table[];
  /** Maps a slug to statements that restore the rows of the workspace. */
  readonly workspaces: Map<string, string>;
}

const shared = new Map<string, SharedDatabase>();

/** Tables of the catalog are not writable, because the service only reads them. */
const TABLES = `
select quote_ident(relname) as name, has_table_privilege($1, oid, 'delete') as "isWritable", case
    when relname = 'workspace' then 'slug = $1'
    when exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'tenant_id')
      then 'tenant_id = (select id from workspace where slug = $1)'
  end as condition
from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`;

/** Marks a database as shared, so that tests save and restore its workspaces. */
export async function shareDatabase(databaseUrl: string): Promise<void> {
  const tables = await queryAsOwner({ databaseUrl }, TABLES, [deriveRuntimeRole(databaseUrl)]);
  shared.set(databaseUrl, { tables: tables as Table[], workspaces: new Map() });
}

/** Returns a value that changes with each change of the vendor catalog. */
export async function versionOfCatalog(databaseUrl: string): Promise<string> {
  const tables = shared.get(databaseUrl)?.tables.filter(({ isWritable }) => !isWritable) ?? [];
  const selects = tables.map(({ name }) => `select count(*), max(xmin::text::bigint) from ${name}`);
  return JSON.stringify(await queryAsOwner({ databaseUrl }, selects.join(' union all ')));
}

/** Does nothing if the database is not shared. */
export async function saveWorkspace(databaseUrl: string, slug: string): Promise<void> {
  const { tables, workspaces } = shared.get(databaseUrl) ?? {};
  if (!tables || !workspaces) return;
  const selects = tables.flatMap(({ name, condition }) =>
    condition ? [`select '${name}' as name, json_agg(one)::text as rows from ${name} one where ${condition}`] : [],
  );
  const found = await queryAsOwner({ databaseUrl }, selects.join(' union all '), [slug]);
  const inserts = found.flatMap(({ name, rows }) =>
    rows
      ? [
          `insert into ${name} select * from json_populate_recordset(null::${name}, ${pg.escapeLiteral(rows)}) on conflict do nothing`,
        ]
      : [],
  );
  workspaces.set(slug, inserts.join(';'));
}

/**
 * Restores the rows with their original ids, because the service has cached the workspace id of the slug. Returns
 * whether a saved workspace exists.
 */
export async function restoreWorkspace(databaseUrl: string, slug: string): Promise<boolean> {
  const inserts = shared.get(databaseUrl)?.workspaces.get(slug);
  if (inserts) await runUnchecked(databaseUrl, inserts);
  return inserts !== undefined;
}

/** Also deletes all jobs. */
export async function deleteWorkspaces(databaseUrl: string): Promise<void> {
  const tables = shared.get(databaseUrl)?.tables.filter(({ isWritable }) => isWritable) ?? [];
  const deletes = [...tables, { name: 'taproot_jobs.job' }].map(({ name }) => `delete from ${name}`);
  await runUnchecked(databaseUrl, deletes.join(';'));
}

/** `session_replication_role = replica` disables foreign keys and triggers. */
async function runUnchecked(databaseUrl: string, statements: string): Promise<void> {
  await withOwnerSession(databaseUrl, (client) =>
    client.query(`begin; set local session_replication_role = replica; ${statements}; commit`),
  );
}
