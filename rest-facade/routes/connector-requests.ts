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
      'Records that the workspace needs a connector. If an open request of the same name exists (case-insensitive), its notes are extended and it is returned: new `notes` become a paragraph of their own, the same ones are not added twice. 409 if they do not fit into 4,000 characters.',
    errorCodes: ['CONFLICT'],
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
    notFoundMessage: 'The connector request does not exist.',
    example: { ...request, status: 'under_review' },
  },
];
