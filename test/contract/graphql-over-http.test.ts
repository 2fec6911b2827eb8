import { auditServer } from 'graphql-http';
import { describe, expect, it } from 'vitest';
import { aService } from '../support/service/service.js';

const service = aService();

describe('POST /graphql', () => {
  it('complies with the GraphQL over HTTP specification without an error or a warning', async () => {
    const results = await auditServer({ url: `${service.url}/graphql` });
    const faults = results.filter(({ status }) => status === 'error' || status === 'warn');
    expect(results.length).toBeGreaterThan(50);
    expect(faults.map(({ status, name }) => `${status}: ${name}`)).toEqual([]);
  });
});
