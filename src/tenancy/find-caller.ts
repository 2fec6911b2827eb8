import { decodeId, encodeId } from '../kernel/ids.js';
import type { Reader } from '../kernel/reading.js';
import type { Identity } from './access-token.js';
import type { Caller } from './caller.js';
import { BUILT_IN_ROLES, type BuiltInRole } from './permissions.js';
import type { UserStatus } from './user.js';

/** Roles of a user with all that they inherit. `union` ends where roles inherit in a circle. */
const USER = `
with recursive found as (
  select id, status, require_strong_auth from "user" where tenant_id = $1 and issuer = $2 and subject = $3
), held (role_id) as (
  select role_id from user_role where tenant_id = $1 and user_id = (select id from found)
  union
  select role.parent_role_id from role join held on role.id = held.role_id
  where role.tenant_id = $1 and role.parent_role_id is not null
)
select found.id, found.status, found.require_strong_auth,
  (select json_agg(json_build_object('builtIn', built_in, 'permissions', permissions))
   from role where tenant_id = $1 and id in (select role_id from held))
from found`;

const API_KEY = `
select id, created_by, permissions, last_used_at is null or last_used_at < now() - interval '1 minute'
from api_key
where tenant_id = $1 and hash = $2 and revoked_at is null and (expires_at is null or expires_at > now())`;

interface HeldRole {
  builtIn: BuiltInRole | null;
  permissions: string[];
}

export interface FoundUser {
  readonly caller: Caller;
  readonly status: UserStatus;
  readonly requireStrongAuth: boolean;
}

/** The user that a token is about, with all grants, in one statement. */
export async function findUser(
  read: Reader,
  tenantId: string,
  { issuer, subject }: Identity,
): Promise<FoundUser | undefined> {
  const [row] = await read.rows(USER, [decodeId(tenantId), issuer, subject]);
  if (!row) return undefined;
  const [uuid, status, strong, roles] = row;
  const held = JSON.parse(roles ?? '[]') as HeldRole[];
  const grants = held.flatMap(({ builtIn, permissions }) =>
    builtIn ? BUILT_IN_ROLES[builtIn].permissions : permissions,
  );
  const id = encodeId(uuid as string);
  return {
    caller: { kind: 'user', id, userId: id, tenantId, grants: new Set(grants) },
    status: status as UserStatus,
    requireStrongAuth: strong === 't',
  };
}

export interface FoundKey {
  readonly caller: Caller;
  /** The time of its last use is out of date by a minute or more. */
  readonly isStale: boolean;
}

/** The API key of this hash, if it may still be used. */
export async function findApiKey(read: Reader, tenantId: string, hash: string): Promise<FoundKey | undefined> {
  const [row] = await read.rows(API_KEY, [decodeId(tenantId), hash]);
  if (!row) return undefined;
  const [id, createdBy, permissions, stale] = row as string[];
  return {
    caller: {
      kind: 'api_key',
      id: encodeId(id as string),
      userId: encodeId(createdBy as string),
      tenantId,
      grants: new Set(JSON.parse(permissions as string) as string[]),
    },
    isStale: stale === 't',
  };
}
