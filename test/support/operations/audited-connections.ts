import { expect } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { signInWithVendor } from '../identity/vendor-sign-in.js';
import type { Client } from '../service/service.js';
import { type ConnectedWorkspace, connect, offerOf } from '../sources/connected-workspace.js';

/** A successful mutation, and the audit entry that it must write. */
export interface AuditedChange {
  readonly action: string;
  readonly objectType: string;
  readonly details: object | null;
  /** Whether the actor of the entry is the service instead of the caller. */
  readonly isBySystem?: true;
  /** True if the response and the variables do not contain the id of the object. */
  readonly hasUnknownObjectId?: true;
  /** A second audit entry, which the service writes later. */
  readonly followUp?: object;
  /** Creates the object to change. Returns the mutation and its variables. */
  readonly prepare: () => Promise<{ id?: string; query: string; variables: object }>;
}

const ID = expect.stringMatching(/^[0-9A-Za-z]{22}$/);
const SIGN_IN = 'oauth2-auth-code-pkce';
const TESTED = {
  ...{ action: 'credential.tested', objectType: 'CredentialMetadata', details: { from: 'validating', to: 'valid' } },
};

export function auditedConnectionChanges(
  { vendor, provider }: ConnectedWorkspace,
  owner: Client,
): Record<string, AuditedChange> {
  const { authenticationConfig } = vendor.credentials.bearer;
  const aConnection = async () => (await connect(owner, 'bearer', vendor.credentials.bearer)).body.data;
  const aConnectionToSignIn = async () =>
    (await connect(owner, SIGN_IN, provider.credentials.client_secret_basic)).body.data;
  return {
    createConnectorInstance: {
      ...{ action: 'connector_instance.created', objectType: 'TenantConnectorInstance', details: { connectorId: ID } },
      prepare: async () => {
        const { connectorId: id, ...offer } = await offerOf(owner, 'bearer');
        const query = `mutation ($id: Base62Id!, $groupingId: Base62Id!, $authenticationStrategyId: Base62Id!, $authenticationConfig: JSONObject) {
          createConnectorInstance(connectorId: $id, groupingId: $groupingId, authenticationStrategyId: $authenticationStrategyId,
            authenticationConfig: $authenticationConfig) { id } }`;
        return { query, variables: { id, ...offer, authenticationConfig } };
      },
    },
    configureConnectorInstance: {
      ...{ action: 'connector_instance.configured', objectType: 'TenantConnectorInstance' },
      details: { credentialMetadataId: ID },
      prepare: async () => ({
        query:
          'mutation ($id: Base62Id!) { configureConnectorInstance(instanceId: $id, authenticationConfig: {}) { id } }',
        variables: { id: (await aConnection()).id },
      }),
    },
    updateConnectorInstance: {
      ...{ action: 'connector_instance.updated', objectType: 'TenantConnectorInstance' },
      details: { name: 'Renamed', enabled: false },
      prepare: async () => ({
        query: 'mutation ($id: Base62Id!) { updateConnectorInstance(id: $id, name: "Renamed", enabled: false) { id } }',
        variables: { id: (await aConnection()).id },
      }),
    },
    deleteConnectorInstance: {
      ...{ action: 'connector_instance.deleted', objectType: 'TenantConnectorInstance', details: null },
      prepare: async () => ({
        query: 'mutation ($id: Base62Id!) { deleteConnectorInstance(id: $id) }',
        variables: { id: (await aConnection()).id },
      }),
    },
    validateCredentials: {
      ...{ ...TESTED, isBySystem: true },
      prepare: async () => ({
        query: 'mutation ($id: Base62Id!) { validateCredentials(credentialMetadataId: $id) { status } }',
        variables: { id: (await aConnection()).credentialMetadataId },
      }),
    },
    connectorOauthStart: {
      ...{
        action: 'oauth_flow.started',
        objectType: 'OAuthFlow',
        details: { instanceId: ID },
        hasUnknownObjectId: true,
      },
      prepare: async () => ({
        query: 'mutation ($id: Base62Id!) { connectorOauthStart(instanceId: $id) { state } }',
        variables: { id: (await aConnectionToSignIn()).id },
      }),
    },
    connectorOauthComplete: {
      ...{
        action: 'oauth_flow.completed',
        objectType: 'CredentialMetadata',
        details: { instanceId: ID },
        followUp: TESTED,
      },
      hasUnknownObjectId: true,
      prepare: async () => {
        const { state: id, ...rest } = await signInWithVendor(owner, provider, (await aConnectionToSignIn()).id);
        const query = `mutation ($id: String!, $code: String!, $params: JSONObject) {
          connectorOauthComplete(state: $id, code: $code, params: $params) { credentialMetadataId } }`;
        return { query, variables: { id, ...rest } };
      },
    },
    setConnectorBaseUrl: {
      ...{ action: 'connector_base_url.set', objectType: 'ConnectorBaseUrl', hasUnknownObjectId: true },
      details: { connectorId: ID, baseUrl: 'https://api.example.com' },
      prepare: async () => ({
        query: 'mutation ($id: Base62Id!) { setConnectorBaseUrl(id: $id, baseUrl: "https://api.example.com/") { id } }',
        variables: { id: (await offerOf(owner, 'session-exchange')).connectorId },
      }),
    },
    recordSyncJob: {
      ...{ action: 'sync_job.reported', objectType: 'SyncJob', details: { status: 'running' } },
      prepare: async () => ({
        query: `mutation ($id: Base62Id!, $name: String!) {
          recordSyncJob(input: { instanceId: $id, externalId: $name, status: running }) { id } }`,
        variables: { id: (await aConnection()).id, name: newId() },
      }),
    },
  };
}
