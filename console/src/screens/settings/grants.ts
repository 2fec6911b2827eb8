interface Role {
  readonly id: string;
  readonly parentRoleId?: string | null;
  readonly permissions: readonly string[];
}

/** Includes inherited grants. */
export function grantsOf(roleIds: readonly string[], roles: readonly Role[]): Set<string> {
  const grants = new Set<string>();
  const seen = new Set<string>();
  const open = [...roleIds];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const role = roles.find((one) => one.id === id);
    if (!role || seen.has(id)) continue;
    seen.add(id);
    for (const grant of role.permissions) grants.add(grant);
    if (role.parentRoleId) open.push(role.parentRoleId);
  }
  return grants;
}

/** Returns whether a user with the grants `own` may assign or change these roles. */
export function canGrant(own: ReadonlySet<string>, roleIds: readonly string[], roles: readonly Role[]): boolean {
  return [...grantsOf(roleIds, roles)].every((grant) => includes(own, grant));
}

function includes(own: ReadonlySet<string>, grant: string): boolean {
  if (own.has('*') || own.has(grant)) return true;
  return grant !== '*' && own.has(`${grant.slice(0, grant.indexOf(':'))}:*`);
}
