import { describe, expect, it } from 'vitest';
import {
  BUILT_IN_ROLES,
  hasPermission,
  includesGrant,
  intersectGrants,
  isGrant,
  PERMISSIONS,
  type Permission,
} from '../../../src/tenancy/permissions.js';

const ALL = Object.keys(PERMISSIONS) as Permission[];
const RESOURCES = [...new Set(ALL.map((permission) => permission.split(':')[0] as string))];

/** Invalid strings that resemble grants. */
const NEAR_MISSES = [
  ...['', ' ', ':', '**', '*:', ':*', '*:*', '* ', ' *', '*:read', '*.*', '%', '.*'],
  ...['connectors', 'connectors:', 'connector', 'connectors*', 'connectors.*', 'connectors:**', 'connectors:*:*'],
  ...[':read', 'read', 'connectors:READ', 'CONNECTORS:read', 'Connectors:*', 'connectors:read ', ' connectors:read'],
  ...['connectors :read', 'connectors:*\n', 'connectors:read:*', 'connectors::*', 'connectors:rea', 'connectors:reads'],
  ...['connectors:publish', 'connectors:*:read', 'artifact:*', 'artifactsx:*', 'artifactsx', 'none:*', 'none:read'],
  ...[
    'constructor',
    'toString',
    'hasOwnProperty',
    '__proto__',
    'constructor:*',
    '__proto__:*',
    'prototype:*',
    'valueOf:read',
  ],
];

describe('isGrant', () => {
  it('accepts every permission, every resource wildcard, and *', () => {
    const grants = [...ALL, ...RESOURCES.map((resource) => `${resource}:*`), '*'];
    expect(grants.length).toBeGreaterThan(30);
    expect(grants.filter((text) => !isGrant(text))).toEqual([]);
  });

  it.each(NEAR_MISSES)('rejects %j', (text) => {
    expect(isGrant(text)).toBe(false);
  });
});

describe('hasPermission', () => {
  it.each<[Permission, string[]]>([
    ['connectors:read', ['connectors:read']],
    ['connectors:read', ['connectors:*']],
    ['connectors:read', ['*']],
    ['connectors:read', ['taps:write', 'connectors:read']],
    ['connector_requests:move', ['connector_requests:*']],
    ['api_keys:write', ['audit:read', '*']],
  ])('allows %s with %j', (permission, grants) => {
    expect(hasPermission(new Set(grants), permission)).toBe(true);
  });

  it.each<[Permission, string[]]>([
    ['connectors:read', []],
    ['connectors:read', ['connectors:write']],
    ['connectors:read', ['connector_requests:read', 'connector_requests:*', 'credentials:*']],
    ['connector_requests:read', ['connectors:read', 'connectors:*']],
    ['artifacts:publish', ['artifacts:read', 'artifacts:write', 'artifacts:infer', 'artifacts:delete']],
  ])('denies %s with %j', (permission, grants) => {
    expect(hasPermission(new Set(grants), permission)).toBe(false);
  });

  it.each(NEAR_MISSES)('denies everything with %j', (grant) => {
    expect(ALL.filter((permission) => hasPermission(new Set([grant]), permission))).toEqual([]);
  });

  it('allows only the same permission', () => {
    for (const own of ALL) expect(ALL.filter((permission) => hasPermission(new Set([own]), permission))).toEqual([own]);
  });
});

describe('includesGrant', () => {
  it.each<[string, string[]]>([
    ['taps:write', ['taps:write']],
    ['taps:write', ['taps:*']],
    ['taps:write', ['*']],
    ['taps:*', ['taps:*']],
    ['taps:*', ['*']],
    ['*', ['*']],
  ])('includes %s in %j', (wanted, grants) => {
    expect(includesGrant(new Set(grants), wanted)).toBe(true);
  });

  it.each<[string, string[]]>([
    ['taps:write', []],
    ['taps:write', ['taps:delete']],
    ['taps:write', ['connectors:*', 'artifacts:write']],
    ['taps:*', ['taps:write', 'taps:delete']],
    ['*', ALL],
    ['*', RESOURCES.map((resource) => `${resource}:*`)],
    ['*', ['*:*', ':*', '']],
    ['taps', ['taps:*']],
    ['tapsx', ['taps:*']],
    ['constructor', ['taps:*', 'constructo:*']],
    ['__proto__:*', ['taps:*']],
  ])('does not include %s in %j', (wanted, grants) => {
    expect(includesGrant(new Set(grants), wanted)).toBe(false);
  });

  it('includes no more than hasPermission allows, for all combinations', () => {
    const grants = [...ALL, ...RESOURCES.map((resource) => `${resource}:*`), '*'];
    const meaning = (grant: string): Permission[] =>
      ALL.filter((permission) => hasPermission(new Set([grant]), permission));
    let covered = 0;
    for (const own of grants)
      for (const wanted of grants) {
        if (!includesGrant(new Set([own]), wanted)) continue;
        covered++;
        expect(meaning(own)).toEqual(expect.arrayContaining(meaning(wanted)));
      }
    expect(covered).toBeGreaterThan(grants.length);
  });
});

describe('intersectGrants', () => {
  it.each<[string[], string[], string[]]>([
    [['*'], ['*'], ['*']],
    [['*'], ['taps:*', 'audit:read'], ['taps:*', 'audit:read']],
    [['taps:*'], ['taps:write'], ['taps:write']],
    [['taps:write'], ['taps:*'], ['taps:write']],
    [['taps:*', 'audit:read'], ['connectors:*', 'taps:delete'], ['taps:delete']],
    [['taps:*'], ['connectors:*'], []],
    [['*'], [], []],
    [[], ['*'], []],
  ])('intersects %j and %j to %j', (ones, others, both) => {
    const common = intersectGrants(ones, new Set(others));
    const allowed = (grants: ReadonlySet<string>): Permission[] => ALL.filter((one) => hasPermission(grants, one));
    expect(allowed(common)).toEqual(allowed(new Set(both)));
    for (const grant of common) expect([ones, others].every((side) => includesGrant(new Set(side), grant))).toBe(true);
  });
});

describe('the built-in roles', () => {
  const may = (role: keyof typeof BUILT_IN_ROLES): Permission[] =>
    ALL.filter((permission) => hasPermission(new Set<string>(BUILT_IN_ROLES[role].permissions), permission));

  it('contain only valid grants', () => {
    const grants = Object.values(BUILT_IN_ROLES).flatMap(({ permissions }) => [...permissions] as string[]);
    expect(grants.length).toBeGreaterThan(20);
    expect(grants.filter((grant) => !isGrant(grant))).toEqual([]);
  });

  it('build on one another: all include viewer, and owner and admin include the other roles', () => {
    expect([may('owner'), may('admin')]).toEqual([ALL, ALL]);
    for (const role of ['editor', 'operator'] as const)
      expect(may(role)).toEqual(expect.arrayContaining(may('viewer')));
    expect(may('viewer').filter((permission) => !permission.endsWith(':read'))).toEqual([]);
  });

  it('allow only owners to grant everything', () => {
    const handsOutAll = Object.entries(BUILT_IN_ROLES).filter(([, { permissions }]) =>
      includesGrant(new Set(permissions), '*'),
    );
    expect(handsOutAll.map(([role]) => role)).toEqual(['owner']);
  });
});
