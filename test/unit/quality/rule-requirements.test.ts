import { describe, expect, it } from 'vitest';
import { NUMERIC_TYPES, RULE_REQUIREMENTS, TEMPORAL_TYPES } from '../../../src/quality/contracts/rule-requirements.js';

describe('supported column types', () => {
  it.each([
    ['range', NUMERIC_TYPES],
    ['pattern', ['String']],
    ['cursor_monotonic', [...NUMERIC_TYPES, ...TEMPORAL_TYPES]],
    ['future_timestamp', ['Date', 'DateTime', 'DateTimeOffset']],
  ] as const)('%s: %j', (type, types) => {
    expect(RULE_REQUIREMENTS[type].column).toEqual(types);
  });
});
