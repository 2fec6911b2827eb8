import type { Route } from './route.js';

export const exampleConnector = {
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
  effectiveBaseUrl: 'https://api.github.com',
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
    summary: 'List connector definitions',
    description: 'Connector definitions with their strategies, taps and traversal, ordered by `name`.',
    example: { items: [exampleConnector], limit: 50, offset: 0, total: 1 },
  },
  {
    operation: 'connector',
    method: 'get',
    path: '/api/connectors/{id}',
    extension: true,
    tag: 'Connectors',
    summary: 'Get a connector definition',
    description: 'The definition with its strategies, taps and traversal. `id` accepts an id or a slug.',
    notFoundMessage: 'The connector does not exist.',
    example: exampleConnector,
  },
  {
    operation: 'setConnectorBaseUrl',
    method: 'put',
    path: '/api/connectors/{id}/base-url',
    extension: true,
    tag: 'Connectors',
    summary: 'Override the base URL of a connector',
    description:
      'Sets a base URL that replaces `defaultBaseUrl` of the connector for all its connections in the workspace. `null` resets the base URL. The service deletes the secrets of all connections whose address changes, and a user must enter them again. Requires the permission `workspace:write`.',
    errorCodes: ['NOT_FOUND', 'CONFLICT'],
    example: { ...exampleConnector, effectiveBaseUrl: 'https://github.example.com/api/v3' },
  },
];
