import type { Route } from './route.js';

const token = 'wit_EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleE000000';

const ingestToken = {
  id: '1qA8zX3sWU4P4P7KJKWdHH',
  prefix: token.slice(0, 12),
  tenantConnectorTapId: '4tQ8nW2xKrlCsVO93EktnB',
  createdAt: '2026-01-31T12:00:00.000Z',
  updatedAt: '2026-01-31T12:00:00.000Z',
};

const result = { token, endpointUrl: `https://taproot.example.com/ingest/${token}`, ingestToken };

export const ingestTokenRoutes: readonly Route[] = [
  {
    operation: 'ingestTokens',
    method: 'get',
    path: '/api/ingest-tokens',
    extension: true,
    paged: true,
    tag: 'Ingest tokens',
    summary: 'List the ingest tokens of a tap',
    description: 'Ingest tokens of the tap, newest first, including revoked and expired tokens.',
    errorCodes: ['NOT_FOUND'],
    example: { items: [{ ...ingestToken, lastUsedAt: '2026-02-01T08:30:00.000Z' }], limit: 50, offset: 0, total: 1 },
  },
  {
    operation: 'mintIngestToken',
    method: 'post',
    path: '/api/ingest-tokens',
    extension: true,
    tag: 'Ingest tokens',
    summary: 'Create an ingest token',
    description:
      'Creates a token that authorizes pushes to one tap. Only this response contains `token` and `endpointUrl`. The URL contains the token. `expiresAt` must be in the future, at most 10 years ahead. Without `expiresAt`, the token does not expire. A tap can have at most 5 live tokens, not counting rotated, revoked and expired tokens. A request for a sixth live token fails with 409.',
    errorCodes: ['NOT_FOUND', 'CONFLICT'],
    showsSecret: true,
    example: result,
  },
  {
    operation: 'rotateIngestToken',
    method: 'post',
    path: '/api/ingest-tokens/{id}/rotate',
    tag: 'Ingest tokens',
    summary: 'Rotate an ingest token',
    description:
      'Creates a new token for the same tap. Only this response contains the new token. The old token remains valid for a grace period, 24 hours by default. `expiresAt` of the old token becomes the end of that period, unless the token expires earlier. The new token has the original expiry of the old token, if the old token had one. Fails with 409 for a rotated, revoked or expired token, and if 5 tokens of the tap are already in their grace period.',
    errorCodes: ['NOT_FOUND', 'CONFLICT'],
    showsSecret: true,
    example: result,
  },
  {
    operation: 'revokeIngestToken',
    method: 'delete',
    path: '/api/ingest-tokens/{id}',
    extension: true,
    tag: 'Ingest tokens',
    summary: 'Revoke an ingest token',
    description:
      'Revokes a token immediately, even during the grace period after a rotation. Revoking a revoked token has no effect.',
    errorCodes: ['NOT_FOUND'],
    example: true,
  },
];
