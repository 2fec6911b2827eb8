import { expect, it } from 'vitest';
import { parseGrants } from '../../../src/tenancy/roles/write-role.js';

it('returns each permission once', () => {
  expect(parseGrants(['audit:read', 'taps:*', 'audit:read'])).toEqual(['audit:read', 'taps:*']);
});

it('names the position of an unknown permission in the request', () => {
  expect(() => parseGrants(['audit:read', 'audit:read', 'unknown:read'])).toThrow('permissions: item 3 is not');
});
