import { describe, expect, it } from '@jest/globals';
import { aService } from '../support/service.js';

const service = aService();
const viewer = service.as('viewer');

describe('GET /api/connectors', () => {
  it('requires authentication', async () => {
    expect((await service.request('/api/connectors')).status).toBe(401);
  });

  it('lists definitions with strategies and taps, by name', async () => {
    const { body } = await viewer.request('/api/connectors?limit=250');
    const names = body.data.items.map(({ name }: { name: string }) => name);
    expect(names).toEqual([...names].sort());
    for (const { supportedAuthStrategies, taps } of body.data.items) {
      expect(Array.isArray(supportedAuthStrategies) && taps.length > 0).toBe(true);
    }
  });

  it('shows the timeout of a request, 30 seconds unless the definition names another', async () => {
    const { body } = await viewer.request('/api/connectors?limit=250');
    for (const { timeoutSeconds } of body.data.items) expect(timeoutSeconds).toBeGreaterThanOrEqual(1);
    const [github] = (await viewer.request('/api/connectors?search=GitHub%20REST')).body.data.items;
    const { body: graphql } = await viewer.graphql(
      'query ($id: String!) { connector(id: $id) { timeoutSeconds } }',
      github,
    );
    expect([github.timeoutSeconds, graphql.data.connector.timeoutSeconds]).toEqual([30, 30]);
  });

  it('names inbound strategies for connectors that are sent to, and for no other', async () => {
    const { body } = await viewer.request('/api/connectors?limit=250');
    for (const { integrationClass, inboundAuthStrategies } of body.data.items) {
      expect(inboundAuthStrategies !== undefined).toBe(integrationClass === 'collector');
    }
  });
});

describe('GET /api/connectors/{id}', () => {
  const read = (id: string) => viewer.request(`/api/connectors/${id}`);

  it('requires authentication', async () => {
    expect((await service.request('/api/connectors/nothing_00000000')).status).toBe(401);
  });

  it('takes an id or a slug', async () => {
    const { body } = await viewer.request('/api/connectors?limit=1');
    const [connector] = body.data.items;
    expect((await read(connector.id)).body.data).toEqual(connector);
    expect((await read(connector.slug)).body.data).toEqual(connector);
  });

  it.each([
    ['an id that never existed', '7n42DGM5Tflk9n8mt7Fhc7', 400],
    ['another spelling of an id', '0', 400],
    ['neither id nor slug', 'a-b', 400],
    ['a slug that never existed', 'nothing_00000000', 404],
  ])('refuses %s', async (_, id, status) => {
    expect((await read(id)).status).toBe(status);
  });
});
