import { describe, expect, it } from 'vitest';
import { aService } from '../../../support/service/service.js';

const viewer = aService().as('viewer');

describe('GET /api/connectors', () => {
  it('returns the sources of strategies and taps, and the settings that no source confirms', async () => {
    const [okta] = (await viewer.request('/api/connectors?search=Okta')).body.data.items;
    const query = `query ($id: String!) { connector(id: $id) {
      supportedAuthStrategies { unverified sources { document repository path checkedAt } } taps { sources { repository } }
    } }`;
    const { connector } = (await viewer.graphql(query, okta)).body.data;
    const [strategy] = okta.supportedAuthStrategies;
    expect(strategy.unverified).toEqual(['verification.failures']);
    expect(strategy.sources[0]).toEqual({
      repository: 'NangoHQ/nango',
      path: 'packages/providers/providers.yaml',
      checkedAt: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    });
    expect(connector.supportedAuthStrategies[0]).toEqual({
      unverified: strategy.unverified,
      sources: strategy.sources.map((source: object) => ({ document: null, path: null, repository: null, ...source })),
    });
    for (const { sources } of connector.taps) expect(sources[0].repository).toBe('okta/okta-management-openapi-spec');
  });
});
