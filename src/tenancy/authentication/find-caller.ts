import { decodeId, encodeId } from '../../kernel/ids.js';
import type { Reader } from '../../kernel/reading/reader.js';
import type { Caller } from '../caller.js';
import { intersectGrants } from '../permissions.js';
import type { Role } from '../role.js';
import { ownGrantsOf } from '../roles/grantable-roles.js';
import type { UserStatus } from '../user.js';
import type { Identity } from './access-token.js';

/** Includes inherited roles. `union` stops at a cycle of roles. `union all` would not. */
const INHERITED_ROLES = `
held (role_id) as (
  select role_id from user_role where tenant_id = $1 and user_id = (select user_id from found)
  union
  select role.parent_role_id from role join held on role.id = held.role_id
  where role.tenant_id = $1 and role.parent_role_id is not null
)`;

const ROLES = `
(select json_agg(json_build_object('builtIn', built_in, 'permissions', permissions))
 from role where tenant_id = $1 and id in (select role_id from held))`;

const userWhere = (condition: string): string => `
with recursive found as (
  select id as user_id, status, require_strong_auth from "user" where tenant_id = $1 and ${condition}
), ${INHERITED_ROLES}
select user_id, ${ROLES}, status, require_strong_auth from found`;

const apiKeyWhere = (condition: string): string => `
with recursive found as (
  select api_key.id, api_key.permissions, "user".id as user_id,
    last_used_at is null or last_used_at < now() - interval '1 minute' as is_stale
  from api_key join "user" on "user".tenant_id = $1 and "user".id = api_key.created_by
  where api_key.tenant_id = $1 and ${condition} and revoked_at is null and (expires_at is null or expires_at > now())
    and status = 'ACTIVE'
), ${INHERITED_ROLES}
select user_id, ${ROLES}, id, permissions, is_stale from found`;

type Row = readonly (string | null)[];

const BY_SUBJECT = userWhere('issuer = $2 and subject = $3');
const BY_USER_ID = userWhere('id = $2');
const BY_HASH = apiKeyWhere('hash = $2');
const BY_KEY_ID = apiKeyWhere('api_key.id = $2');

export interface FoundUser {
  readonly caller: Caller;
  readonly status: UserStatus;
  readonly requireStrongAuth: boolean;
}

export async function findUser(
  read: Reader,
  tenantId: string,
  { issuer, subject }: Identity,
): Promise<FoundUser | undefined> {
  const [row] = await read.rows(BY_SUBJECT, [decodeId(tenantId), issuer, subject]);
  return row && userFrom(row, tenantId);
}

function userFrom(row: Row, tenantId: string): FoundUser {
  const [uuid, roles, status, strong] = row;
  const id = encodeId(uuid as string);
  return {
    caller: { kind: 'user', id, userId: id, tenantId, grants: new Set(grantsFrom(roles)) },
    status: status as UserStatus,
    requireStrongAuth: strong === 't',
  };
}

interface FoundApiKey {
  readonly caller: Caller;
  /** Whether the time of the last use is missing or more than a minute ago. */
  readonly isStale: boolean;
}

/**
 * Returns undefined unless the key is valid and its creator is active. The returned key has only grants that its
 * creator still has.
 */
export async function findApiKey(read: Reader, tenantId: string, hash: string): Promise<FoundApiKey | undefined> {
  const [row] = await read.rows(BY_HASH, [decodeId(tenantId), hash]);
  return row && apiKeyFrom(row, tenantId);
}

function apiKeyFrom(row: Row, tenantId: string): FoundApiKey {
  const [maker, roles, id, permissions, stale] = row;
  const given = JSON.parse(permissions as string) as string[];
  return {
    caller: {
      kind: 'api_key',
      id: encodeId(id as string),
      userId: encodeId(maker as string),
      tenantId,
      grants: intersectGrants(given, new Set(grantsFrom(roles))),
    },
    isStale: stale === 't',
  };
}

/** Returns undefined if the caller no longer has access. */
export async function reloadCaller(
  read: Reader,
  { kind, id, tenantId }: Pick<Caller, 'kind' | 'id' | 'tenantId'>,
): Promise<Caller | undefined> {
  const values = [decodeId(tenantId), decodeId(id)];
  if (kind === 'api_key') {
    const [row] = await read.rows(BY_KEY_ID, values);
    return row && apiKeyFrom(row, tenantId).caller;
  }
  const [row] = await read.rows(BY_USER_ID, values);
  const found = row && userFrom(row, tenantId);
  return found?.status === 'ACTIVE' ? found.caller : undefined;
}

function grantsFrom(roles: string | null | undefined): string[] {
  return (JSON.parse(roles ?? '[]') as Pick<Role, 'builtIn' | 'permissions'>[]).flatMap(ownGrantsOf);
}
