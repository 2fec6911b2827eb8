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
    summary: 'Ask for a connector',
    description:
      'Notes that the workspace misses a connector. Where an open request of the same name is there already, whatever the case of its letters, that one is the answer.',
    example: request,
  },
  {
    operation: 'connectorRequest',
    method: 'get',
    path: '/api/connector-requests/{id}',
    tag: 'Connector requests',
    summary: 'One request for a connector',
    description:
      'The request and how far it is: `pending`, `under_review`, `accepted`, `in_progress`, `completed`, or `declined` or `duplicate`.',
    missing: 'There is no connector request of that id.',
    example: { ...request, status: 'under_review' },
  },
];
