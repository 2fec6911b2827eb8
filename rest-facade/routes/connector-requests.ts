import type { Route } from './route.js';

const request = {
  id: '3kT8wQ2mIwJ0w5KadeF7bk',
  connectorName: 'Acme Warehouse',
  status: 'pending',
  createdAt: '2026-01-31T12:00:00.000Z',
  updatedAt: '2026-01-31T12:00:00.000Z',
  notes: 'Orders and stock levels, once an hour.',
};

export const connectorRequestRoutes: readonly Route[] = [
  {
    operation: 'createConnectorRequest',
    method: 'post',
    path: '/api/connector-requests/connector-requests',
    tag: 'Connector requests',
    summary: 'Request a connector',
    description:
      'Creates a request for a connector. If an open request with the same name (case-insensitive) exists, appends `notes` to that request as a paragraph, and returns that request. A request is open until its status is `completed`, `declined` or `duplicate`. Notes that the open request already contains are not appended again. Fails with 409 if the notes would exceed 4,000 characters in total.',
    errorCodes: ['CONFLICT'],
    example: request,
  },
  {
    operation: 'connectorRequests',
    method: 'get',
    path: '/api/connector-requests',
    extension: true,
    paged: true,
    tag: 'Connector requests',
    summary: 'List connector requests',
    description: 'All connector requests of the workspace in any status, newest first.',
    example: { items: [request], limit: 50, offset: 0, total: 1 },
  },
  {
    operation: 'connectorRequest',
    method: 'get',
    path: '/api/connector-requests/{id}',
    tag: 'Connector requests',
    summary: 'Get a connector request',
    description:
      'Returns the connector request. Its `status` is `pending`, `under_review`, `accepted`, `in_progress`, `completed`, `declined` or `duplicate`.',
    notFoundMessage: 'The connector request does not exist.',
    example: { ...request, status: 'under_review' },
  },
];
