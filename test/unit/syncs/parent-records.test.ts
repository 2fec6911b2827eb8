import { describe, expect, it } from 'vitest';
import { childScope } from '../../../src/syncs/responses/child-scope.js';
import { isEligible } from '../../../src/syncs/responses/is-eligible.js';
import { parseLosslessJson } from '../../../src/syncs/responses/parse-lossless-json.js';
import { parentVersionOf } from '../../../src/syncs/slices/parent-version.js';
import type { VendorRecord } from '../../../src/syncs/tap-page.js';

describe('isEligible', () => {
  const record = {
    type: 'scrum',
    suspended: false,
    count: 3,
    text: '3',
    roles: ['a', 'b'],
    nested: { n: 1 },
    empty: '',
    none: null,
  };

  it.each([
    ['type', 'eq', ['scrum'], true],
    ['type', 'eq', ['kanban'], false],
    ['type', 'neq', ['kanban'], true],
    ['type', 'neq', ['scrum'], false],
    ['type', 'in', ['kanban', 'scrum'], true],
    ['type', 'in', [], false],
    ['type', 'not_in', ['kanban'], true],
    ['type', 'not_in', ['kanban', 'scrum'], false],
    ['suspended', 'eq', ['false'], true],
    ['suspended', 'eq', ['true'], false],
    ['count', 'eq', ['3'], true],
    ['roles', 'in', ['b'], true],
    ['roles', 'not_in', ['b'], false],
    ['nested.n', 'eq', ['1'], true],
    ['missing', 'eq', ['undefined'], false],
    ['none', 'eq', ['null'], false],
    ['missing', 'neq', ['x'], true],
    ['missing', 'not_in', ['x'], true],
  ])('%s %s %o is %s', (field, operator, values, expected) => {
    expect(isEligible(record, [{ field, operator, values }])).toBe(expected);
  });

  it.each([
    ['count', 'gt', 2, true],
    ['count', 'gt', 3, false],
    ['count', 'gte', 3, true],
    ['count', 'gte', 4, false],
    ['count', 'lt', 4, true],
    ['count', 'lt', 3, false],
    ['count', 'lte', 3, true],
    ['count', 'lte', 2, false],
    ['text', 'gt', 2, true],
    ['type', 'gt', 0, false],
    ['suspended', 'lte', 0, false],
    ['empty', 'lte', 0, false],
    ['missing', 'lte', 0, false],
    ['none', 'gte', 0, false],
  ])('%s %s %i is %s', (field, operator, threshold, expected) => {
    expect(isEligible(record, [{ field, operator, threshold }])).toBe(expected);
  });

  it('compares with the first value without a threshold', () => {
    expect(isEligible(record, [{ field: 'count', operator: 'gt', values: ['2'] }])).toBe(true);
  });

  it('requires all conditions, and none without conditions', () => {
    const met = { field: 'count', operator: 'gt', threshold: 0 };
    expect(isEligible(record, [met, { field: 'type', operator: 'eq', values: ['x'] }])).toBe(false);
    expect(isEligible(record, [])).toBe(true);
    expect(isEligible(record, undefined)).toBe(true);
  });

  it.each(['like', 'constructor'])('rejects the operator %s', (operator) => {
    expect(() => isEligible(record, [{ field: 'type', operator }])).toThrow('parentEligibility');
  });
});

describe('childScope', () => {
  const edge = { from: 'issues', to: 'comments', parentKeyField: 'key' };

  it('passes the key of the parent as a variable', () => {
    expect(childScope(edge, { key: 'A-1' })).toEqual({ variables: { key: 'A-1' }, parentFields: {} });
    expect(childScope({ ...edge, templateVariable: 'issueKey' }, { key: 7 })?.variables).toEqual({ issueKey: '7' });
    const large = parseLosslessJson('{"key":9007199254740993}') as VendorRecord;
    expect(childScope(edge, large)?.variables).toEqual({ key: '9007199254740993' });
  });

  it('copies context fields to the child, and passes strings, numbers and booleans as variables', () => {
    const parentContextFields = [
      { sourceField: 'owner.login', targetField: 'org_login' },
      { sourceField: 'tags', targetField: 'tags' },
      { sourceField: 'missing', targetField: 'missing' },
    ];
    expect(
      childScope({ ...edge, parentContextFields }, { key: 'A', owner: { login: 'o' }, tags: ['x'] }, [
        { sourceField: 'key', targetField: 'issue_key' },
      ]),
    ).toEqual({
      variables: { key: 'A', org_login: 'o', issue_key: 'A' },
      parentFields: { org_login: 'o', tags: ['x'], missing: null, issue_key: 'A' },
    });
  });

  it.each([{}, { key: null }, { key: '' }, { key: { a: 1 } }])(
    'is undefined for a parent without a key: %o',
    (parent) => {
      expect(childScope(edge, parent)).toBeUndefined();
    },
  );
});

describe('parentVersionOf', () => {
  const until = Date.UTC(2026, 0, 10, 12);
  const versionOf = (changed: unknown, from = 'issues') =>
    parentVersionOf({ from, parentChangeField: 'changed' }, { changed } as VendorRecord, until);

  it('differs for each time, and for each parent tap', () => {
    const values = ['2026-01-10T10:00:00Z', '2026-01-10T10:00:01Z', '2025-01-10', 1_700_000_000, 1_700_000_001];
    const versions = [...values.map((value) => versionOf(value)), versionOf('2025-01-10', 'orders')];
    expect(versions).not.toContain(undefined);
    expect(new Set(versions).size).toBe(6);
    expect(versionOf('2025-01-10')).toBe(versionOf('2025-01-10'));
  });

  it.each([
    ['2026-01-10T11:00:00Z', '2026-01-10T11:00:01Z'],
    [until - 3_600_000, until - 3_599_999],
    ['2026-01-08', '2026-01-09'],
  ])('is undefined for a time so recent that further changes can have the same time: %s, %s', (settled, recent) => {
    expect(versionOf(settled)).toBeDefined();
    expect(versionOf(recent)).toBeUndefined();
  });

  it.each([undefined, null, {}, true, 'etag', 7, '7'])('is undefined without a time: %o', (value) => {
    expect(versionOf(value)).toBeUndefined();
  });
});
