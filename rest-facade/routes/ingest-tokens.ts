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
    summary: 'Ingest tokens of a tap',
    description: 'The newest first, those too that no longer open.',
    errorCodes: ['NOT_FOUND'],
    example: { items: [{ ...ingestToken, lastUsedAt: '2026-02-01T08:30:00.000Z' }], limit: 50, offset: 0, total: 1 },
  },
  {
    operation: 'mintIngestToken',
    method: 'post',
    path: '/api/ingest-tokens',
    extension: true,
    tag: 'Ingest tokens',
    summary: 'Mint an ingest token',
    description:
      'Makes a token with which records can be pushed to a tap. `token`, and `endpointUrl` with the token in it, are shown this once. `expiresAt` lies ahead, within 10 years; without it the token does not end by itself. 5 tokens of a tap are live at the most: another one is a 409.',
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
      'Makes another token for the same tap, shown this once, and gives the old one a grace of 24 hours, unless the service says otherwise, in which it still opens: its `expiresAt` is the end of that, or its own end where that comes first, and is never moved. The new one ends when the old one was to end, if it was. A token that was rotated or revoked or has expired is a 409, and so is a sixth one in grace.',
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
    description: 'Ends a token at once, whether or not it was rotated. One that is revoked already stays so.',
    errorCodes: ['NOT_FOUND'],
    example: true,
  },
];
