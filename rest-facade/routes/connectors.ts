import type { Route } from './route.js';

const connector = {
  id: '1aZ9yX8wTEoZT0CPgEPww1',
  createdAt: '2026-01-31T12:00:00.000Z',
  createdBy: '000000001VgEh72lXvTXkG',
  updatedAt: '2026-01-31T12:00:00.000Z',
  updatedBy: '000000001VgEh72lXvTXkG',
  slug: 'organiza_4fK9ZxQ2',
  name: 'GitHub',
  supportedAuthStrategies: [],
  taps: [],
  releaseStatus: 'published',
  defaultBaseUrl: 'https://api.github.com',
  integrationClass: 'api',
  protocolType: 'rest',
};

export const connectorRoutes: readonly Route[] = [
  {
    operation: 'connectors',
    method: 'get',
    path: '/api/connectors',
    extension: true,
    paged: true,
    tag: 'Connectors',
    summary: 'List of connector definitions',
    description: 'Connector definitions with their strategies, taps and traversal, by `name`.',
    example: { items: [connector], limit: 50, offset: 0, total: 1 },
  },
  {
    operation: 'connector',
    method: 'get',
    path: '/api/connectors/{id}',
    extension: true,
    tag: 'Connectors',
    summary: 'One connector definition',
    description: 'The definition with its strategies, taps and traversal. `id` is its id or its slug.',
    missing: 'There is no connector of that id or slug.',
    example: connector,
  },
];
