import { describe, expect, it } from 'vitest';
import { CONNECTOR_SLUG_PATTERN, generateConnectorSlug } from '../../../src/catalog/model/connector-slug.js';

describe('a connector slug', () => {
  it.each([
    ['issues', 'issues'],
    ['pull_requests', 'pullrequ'],
    ['Jira Cloud: Issues', 'jiraclou'],
    ['v2/orders', 'v2orders'],
    ['éclair', 'clair'],
    ['x', 'x'],
  ])('of %s starts with %s', (name, readable) => {
    expect(generateConnectorSlug(name).split('_')[0]).toBe(readable);
  });

  it.each(['', '___', '日本語', '😀', ' '])('of %j, which has no letters or digits, starts with c', (name) => {
    expect(generateConnectorSlug(name)).toMatch(/^c_/);
  });

  it.each(['issues', 'pull_requests', '', 'İSTANBUL', 'ab_cd_ef_gh_ij', '0'])('of %j matches the pattern', (name) => {
    for (let i = 0; i < 1_000; i++) {
      const slug = generateConnectorSlug(name);
      expect(slug).toMatch(/^[a-z0-9]{1,8}_[0-9A-Za-z]{8}$/);
      expect(slug).toMatch(CONNECTOR_SLUG_PATTERN);
    }
  });

  it('is different every time', () => {
    expect(new Set(Array.from({ length: 10_000 }, () => generateConnectorSlug('issues'))).size).toBe(10_000);
  });

  it.each([
    'issues',
    'issues_1234567',
    'issues_123456789',
    '_12345678',
    'toolongname_12345678',
    'Issues_12345678',
    'is_sues_12345678',
    'issues_1234567-',
    'issues_12345678\n',
  ])('is not %j', (text) => {
    expect(CONNECTOR_SLUG_PATTERN.test(text)).toBe(false);
  });
});
