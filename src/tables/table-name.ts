import { AppError } from '../kernel/errors.js';
import { decodeId } from '../kernel/ids.js';
import type { WorkspaceTransaction } from '../tenancy/workspace-transaction.js';

/** Maximum length of a PostgreSQL identifier. */
const MAX_NAME_LENGTH = 63;

/** Maximum number of taps with the same name per workspace, including deleted taps. */
const MAX_SAME_NAMES = 1_000;

/** Serializes the choice of names within a workspace. */
const LOCK_TABLE_NAMES = `select pg_advisory_xact_lock(hashtextextended('table name ' || $1, 0))`;

/** Selects the name itself, or the first of `name_2`, `name_3` and so on that no tap of the workspace has or had. */
const FREE_NAME = `
select candidate from generate_series(1, ${MAX_SAME_NAMES}) as number
cross join lateral (select case number when 1 then '' else '_' || number end as ending) as numbered
cross join lateral (select left($2, ${MAX_NAME_LENGTH} - length(ending)) || ending as candidate) as named
where not exists (select from tenant_connector_tap where tenant_id = $1 and table_name = candidate)
order by number limit 1`;

/**
 * Derives a table name from the display name `name`. No other tap of the workspace can take the table name until the
 * transaction ends. Throws CONFLICT if too many tables use or have used the name.
 */
export async function chooseTableName({ read, caller }: WorkspaceTransaction, name: string): Promise<string> {
  await read.rows(LOCK_TABLE_NAMES, [caller.tenantId]);
  const [row] = await read.rows(FREE_NAME, [decodeId(caller.tenantId), tableNameOf(name)]);
  if (!row) throw new AppError('CONFLICT', 'Too many tables use or have used this name. Choose another name.');
  return row[0] as string;
}

/**
 * Converts a name to lower-case ASCII letters, digits and `_`, starting with a letter. For example, `Été 2026` becomes
 * `ete_2026`.
 */
export function tableNameOf(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const text = plain.replace(/[^a-z0-9]+/g, '_').replace(/^_|_$/g, '');
  return (/^[a-z]/.test(text) ? text : `table_${text}`).slice(0, MAX_NAME_LENGTH).replace(/_$/, '');
}
