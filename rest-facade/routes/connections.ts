import { exampleConnector } from './connectors.js';
import type { Route } from './route.js';
import { exampleGrouping } from './vendors.js';

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
  connectionStatusMessage: 'All is well.',
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
  message: 'The source refuses the credentials.',
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
      "The workspace's connections to a vendor, the oldest first. The list is complete unless `limit` is given, which adds `links` to the other pages. Beyond 5,000 connections it takes a `limit`, and is a 400 without. `meta.totalCount` is the number of all of them. If no workspace is named, or the caller may not see connections, the list is empty.",
    example: [instance],
  },
  {
    operation: 'tenantConnectorInstance',
    method: 'get',
    path: '/api/vendors/tenant-connector-instances/{id}',
    tag: 'Connections',
    summary: 'One connection',
    description: 'The connection, with the conditions on parent records in `parentDataFilters`.',
    notFoundMessage: 'There is no connection of that id.',
    example: { ...instance, parentDataFilters: [] },
  },
  {
    operation: 'createConnectorInstance',
    method: 'post',
    path: '/api/connectors',
    tag: 'Connections',
    summary: 'Connect a source',
    description:
      "Makes a connection from a grouping, its connector and one of the connector's strategies. Secrets go to the secret store and never come back; they are tested by a job, so poll `credentialStatus`, or ask for a test of `credentialMetadataId`. A strategy with a sign-in by browser waits for that.",
    errorCodes: ['NOT_FOUND', 'CONFLICT'],
    takesSecret: true,
    example: waiting,
  },
  {
    operation: 'configureConnectorInstance',
    method: 'post',
    path: '/api/connectors/configure',
    tag: 'Connections',
    summary: 'Enter credentials anew',
    description:
      'Takes the credentials of a connection anew, as a new record, which is tested by a job. A secret that is left out or empty is kept, `null` clears it. Where a field changes that an address is made of, the secrets have to be entered anew. With `credentialMetadataId`, a record that is no longer the current one is a 409.',
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
    summary: 'Rename, switch or pause a connection',
    description:
      'Changes fields that need no credentials. Fields that are left out keep their value; `{}` changes nothing and returns the connection. A `name` of null removes it.',
    errorCodes: ['NOT_FOUND'],
    example: instance,
  },
  {
    operation: 'deleteConnectorInstance',
    method: 'delete',
    path: '/api/vendors/tenant-connector-instances/{id}',
    extension: true,
    tag: 'Connections',
    summary: 'Disconnect',
    description:
      'The connection and its taps leave every list and its secrets are destroyed. The data that it brought stays.',
    errorCodes: ['NOT_FOUND'],
    example: true,
  },
  {
    operation: 'connectorOauthStart',
    method: 'post',
    path: '/api/connectors/connector-oauth-start',
    tag: 'Connections',
    summary: 'Start a sign-in with the vendor',
    description:
      "Gives the vendor's address that the browser goes to. Without `redirectUri` the vendor sends it back to a page of this service, which completes the sign-in: at once in the browser that made this call and kept its cookie, elsewhere after a question. A `redirectUri` must be on the workspace's list, to the letter; then `connector-oauth-complete` completes it. 30 tests and sign-ins a minute in a workspace.",
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
      'Takes what came back with the browser: `state`, and `code` or `error`; all other parameters, such as `iss`, in `params`. The code is traded for tokens, which make a new credential record, and that is tested at once. A state works once, for 10 minutes and for whoever started it: `OAUTH_STATE_INVALID` (400) otherwise, 403 for that of somebody else. `OAUTH_REFUSED` (400) where the vendor gives no tokens.',
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
    description:
      'Calls the vendor with the stored credentials and keeps what is found. A vendor that refuses is a result like any other: 200 with `success: false`. `inconclusive` overturns nothing: the vendor was not reached, was busy or broken. Who asks while a test is under way is given its result. 30 tests and sign-ins a minute in a workspace.',
    errorCodes: ['NOT_FOUND', 'CONFLICT'],
    callsOut: true,
    example: validation,
  },
  {
    operation: 'tenantConnectorCredentialDetail',
    method: 'get',
    path: '/api/vendors/tenant-connector-credential-detail',
    tag: 'Connections',
    summary: 'Why credentials failed',
    description:
      'What is known of a credential record, or of the current one of a connection, and what to do about it. Exactly one of the two parameters is needed. Never the secret.',
    notFoundMessage: 'There is no credential record or connection of that id.',
    example: {
      credentialMetadataId: '0sD4fG7hImKPcDczUQpZW3',
      instanceId: '7kP2mX9wLvJ0wvCculH5df',
      status: 'invalid',
      errorCode: 'auth_failed',
      message: 'The source refuses the credentials.',
      remediation: 'Create a new key at the vendor and enter it.',
      validatedAt: '2026-01-31T12:00:00.000Z',
    },
  },
];
