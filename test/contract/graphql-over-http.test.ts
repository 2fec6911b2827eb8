import { auditServer } from 'graphql-http';
import { describe, expect, it } from 'vitest';
import { aService } from '../support/service/service.js';

const service = aService();

/** Optional clauses of the specification that the service does not follow, by reason. */
const NOTICES = {
  'CSRF prevention rejects GET requests without a header that causes a preflight': [
    'MAY accept application/x-www-form-urlencoded formatted GET requests',
    'MAY allow URL-encoded JSON string {variables} parameter in GETs when accepting application/graphql-response+json',
    'MAY allow URL-encoded JSON string {variables} parameter in GETs when accepting application/json',
  ],
  'under application/json a well-formed request returns 200': [
    'MAY use 400 status code on number {query} parameter',
    'MAY use 400 status code on boolean {query} parameter',
    'MAY use 4xx or 5xx status codes if parameters are invalid',
    'MAY use 400 status code if parameters are invalid',
  ],
};

describe('POST /graphql', () => {
  it('complies with the GraphQL over HTTP specification without an error or a warning', async () => {
    const results = await auditServer({ url: `${service.url}/graphql` });
    const namesOf = (...found: string[]) =>
      results.filter(({ status }) => found.includes(status)).map(({ name }) => name);
    expect(results.length).toBeGreaterThan(50);
    expect(namesOf('error', 'warn')).toEqual([]);
    expect(namesOf('notice').sort()).toEqual(Object.values(NOTICES).flat().sort());
  });
});
