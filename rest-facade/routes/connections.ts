import { exampleConnector } from './connectors.js';
import type { Route } from './route.js';
import { exampleGrouping } from './vendors.js';

const SHARED_LIMIT =
  'The operations `validateCredentials`, `connectorOauthStart`, `tryTap` and `discoverObjects` of a workspace share a limit of 30 requests per minute. Credential tests that jobs run also count.';

const audit = {
  createdAt: '2026-01-31T12:00:00.000Z',
  createdBy: '2vMb1qUYpXl5LQ4Q8mB808',
  updatedAt: '2026-01-31T12:00:00.000Z',
  updatedBy: '2vMb1qUYpXl5LQ4Q8mB808',
};

const instance = {
  id: '7kP2mX9wLvJ0wvCculH5df',
  ...audit,
  grouping: exampleGrouping,
  connector: exampleConnector,
  connectionStatus: 'idle',
  connectionStatusMessage: 'The connection has no known problem.',
  hasValidCredentials: true,
  authenticationConfig: { token: '' },
  credentialErrorCode: null,
  credentialMetadataId: '0sD4fG7hImKPcDczUQpZW3',
  credentialStatus: 'valid',
  ingestionConfig: {},
  name: 'Production',
};

const validation = {
  status: 'invalid',
  success: false,
  details: { httpStatus: 401, remediation: 'Create a new key at the vendor and enter it.' },
  errorCode: 'auth_failed',
  message: 'The source rejects the credential.',
  validatedAt: '2026-01-31T12:00:00.000Z',
};

const waiting = {
  ...instance,
  connectionStatus: 'validation_pending',
  connectionStatusMessage: 'The credentials are being tested.',
  hasValidCredentials: false,
  credentialStatus: 'pending',
};

export const connectionRoutes: readonly Route[] = [
  {
    operation: 'tenantConnectorInstancesForVendor',
    method: 'get',
    path: '/api/vendors/tenant-connector-instances-for-vendors/{vendorSlug}',
    tag: 'Connections',
    listed: true,
    summary: 'List connections to a vendor',
    description:
      'Connections of the workspace to a vendor, oldest first. Without `limit`, the request returns all connections, or fails with 400 if there are more than 5,000. With `limit`, `links` contains the URLs of the other pages. `meta.totalCount` is the total number of connections. The list is empty if the request does not specify a workspace or the caller is not allowed to read connections.',
    example: [instance],
  },
  {
    operation: 'tenantConnectorInstances',
    method: 'get',
    path: '/api/vendors/tenant-connector-instances',
    extension: true,
    paged: true,
    tag: 'Connections',
    summary: 'List connections',
    description: 'Connections of the workspace to all vendors, oldest first.',
    example: { items: [instance], limit: 50, offset: 0, total: 1 },
  },
  {
    operation: 'tenantConnectorInstance',
    method: 'get',
    path: '/api/vendors/tenant-connector-instances/{id}',
    tag: 'Connections',
    summary: 'Get a connection',
    description:
      'The connection. `parentDataFilters` contains conditions on parent records. Syncs read child records only of parents that meet all conditions.',
    notFoundMessage: 'The connection does not exist.',
    example: { ...instance, parentDataFilters: [] },
  },
  {
    operation: 'createConnectorInstance',
    method: 'post',
    path: '/api/connectors',
    tag: 'Connections',
    summary: 'Connect a source',
    description:
      "Creates a connection from a grouping, its connector and one of the connector's strategies. The secret store holds the secrets, and no response contains them. A job tests the credentials of an outbound connection. For the result, poll `credentialStatus`, or call `POST /api/connectors/validate` with `credentialMetadataId`. With the strategy type `oauth2_auth_code_pkce`, the test runs after the sign-in in the browser. The first verified delivery confirms the credentials of an inbound connection.",
    errorCodes: ['NOT_FOUND', 'CONFLICT'],
    takesSecret: true,
    example: waiting,
  },
  {
    operation: 'configureConnectorInstance',
    method: 'post',
    path: '/api/connectors/configure',
    tag: 'Connections',
    summary: 'Replace the credentials of a connection',
    description:
      "Stores the credentials of a connection as a new credential record. A job tests the credentials, unless the test first requires a sign-in with the vendor or a first delivery from the sender. A secret that is omitted or empty keeps its value. `null` clears a secret. If a field that is part of the vendor's URL changes, the request must contain all secrets again. The request fails with 409 if `credentialMetadataId` is given and is not the id of the current record.",
    errorCodes: ['NOT_FOUND', 'CONFLICT'],
    takesSecret: true,
    example: waiting,
  },
  {
    operation: 'updateConnectorInstance',
    method: 'patch',
    path: '/api/vendors/tenant-connector-instances/{id}',
    extension: true,
    tag: 'Connections',
    summary: 'Rename, enable or pause a connection',
    description:
      'Renames a connection, enables or disables it, or pauses or resumes its schedule. Omitted fields keep their value. A request with the body `{}` changes nothing and returns the connection. A `name` of null removes the name.',
    errorCodes: ['NOT_FOUND'],
    example: instance,
  },
  {
    operation: 'deleteConnectorInstance',
    method: 'delete',
    path: '/api/vendors/tenant-connector-instances/{id}',
    extension: true,
    tag: 'Connections',
    summary: 'Delete a connection',
    description:
      'Removes the connection and its taps from all lists and destroys its secrets. The received data remains.',
    errorCodes: ['NOT_FOUND'],
    example: true,
  },
  {
    operation: 'connectorOauthStart',
    method: 'post',
    path: '/api/connectors/connector-oauth-start',
    tag: 'Connections',
    summary: 'Start a sign-in with the vendor',
    description: `Returns the vendor's authorization URL for the browser. Without \`redirectUri\`, the vendor redirects to a page of this service, which completes the sign-in. If the browser has the cookie that this response sets, the page completes the sign-in immediately. Otherwise, the page first asks the user for confirmation. With \`redirectUri\`, the vendor redirects to this URI, and the client completes the sign-in with \`connector-oauth-complete\`. The URI must exactly match one of the redirect URIs of the workspace (\`oauthRedirectUris\`, set with the GraphQL mutation \`updateWorkspace\`). ${SHARED_LIMIT}`,
    errorCodes: ['NOT_FOUND', 'CONFLICT'],
    showsSecret: true,
    example: {
      authorizeUrl: 'https://github.com/login/oauth/authorize?response_type=code&client_id=...',
      state: 'kq3Jx0vJ1n9h2yq0oXl5b8m6s4t7u1w3z5c7e9g2i4k',
      expiresAt: '2026-01-31T12:10:00.000Z',
    },
  },
  {
    operation: 'connectorOauthComplete',
    method: 'post',
    path: '/api/connectors/connector-oauth-complete',
    tag: 'Connections',
    summary: 'Complete a sign-in with the vendor',
    description:
      "Accepts the parameters of the vendor's redirect: `state`, and `code` or `error`. All other parameters, such as `iss`, belong in `params`. Exchanges the code for tokens, stores the tokens as a new credential record and tests this record. A state can be used once, within 10 minutes, by the caller who started the sign-in. Fails with `OAUTH_STATE_INVALID` (400) for an unknown, used or expired state. Fails with 403 for the state of another caller. Fails with `OAUTH_REFUSED` (400) if the sign-in was cancelled or the vendor issues no tokens, and with 409 if the credentials were replaced after the start of the sign-in.",
    errorCodes: ['OAUTH_STATE_INVALID', 'OAUTH_REFUSED', 'CONFLICT'],
    callsOut: true,
    takesSecret: true,
    example: {
      instance,
      credentialMetadataId: '0sD4fG7hImKPcDczUQpZW3',
      grantedScopes: ['repo', 'read:org'],
      missingScopes: ['read:user'],
      validation: {
        ...validation,
        status: 'valid',
        success: true,
        details: { identity: 'octocat' },
        errorCode: undefined,
      },
    },
  },
  {
    operation: 'validateCredentials',
    method: 'post',
    path: '/api/connectors/validate',
    tag: 'Connections',
    summary: 'Test credentials',
    description: `Calls the vendor with the stored credentials and stores the outcome. A rejection by the vendor is a regular result: 200 with \`success: false\`. \`inconclusive\` means that the test could not determine whether the credentials are valid, for example because the vendor was unreachable or busy. This result does not change the credential status. Concurrent tests of one credential share one call and its result. ${SHARED_LIMIT}`,
    errorCodes: ['NOT_FOUND', 'CONFLICT'],
    callsOut: true,
    example: validation,
  },
  {
    operation: 'tenantConnectorCredentialDetail',
    method: 'get',
    path: '/api/vendors/tenant-connector-credential-detail',
    tag: 'Connections',
    summary: 'Diagnose credentials',
    description:
      'Returns the status of a credential record and the next step for the user. Exactly one of `credentialMetadataId` and `instanceId` is required. `instanceId` selects the current credential record of a connection. The response contains no secrets.',
    notFoundMessage: 'The credential record or connection does not exist.',
    example: {
      credentialMetadataId: '0sD4fG7hImKPcDczUQpZW3',
      instanceId: '7kP2mX9wLvJ0wvCculH5df',
      status: 'invalid',
      errorCode: 'auth_failed',
      message: 'The source rejects the credential.',
      remediation: 'Create a new key at the vendor and enter it.',
      validatedAt: '2026-01-31T12:00:00.000Z',
    },
  },
];
