import type { ErrorCode } from '../../../src/kernel/errors.js';
import { CONNECTION_CASES } from './connection-cases.js';
import { QUALITY_CASES } from './quality-cases.js';
import { aPage, hasId, idVariable, isNonEmptyPage, isTrue } from './response-predicates.js';
import { TABLE_CASES } from './table-cases.js';
import { IN_PROGRESS, type IsolationWorkspace, type ObjectKind } from './workspace-fixtures.js';

export type IsolationOutcome = 'ok' | 'null' | '[]' | ErrorCode;

// biome-ignore lint/suspicious/noExplicitAny: data of any shape
type Data = any;

export interface IsolationCase {
  /** Kind of the object that the id identifies. Undefined if the field takes no id. */
  readonly names?: ObjectKind;
  /** Method and path of the REST operation. */
  readonly rest?: string;
  /** GraphQL selection. Defaults to all fields. */
  readonly selection?: string;
  readonly isPublic?: true;
  /** Whether the response may repeat the id. */
  readonly isRepeated?: true;
  /** Creates another object of our workspace. `variables` receives the id of this object as `other`. */
  readonly other?: (ours: IsolationWorkspace) => Promise<string>;
  /** Returns the arguments of a request for the object `id`. All other ids belong to our workspace. */
  readonly variables?: (id: string, ours: IsolationWorkspace, other: string) => object;
  /** Outcome for an authenticated caller without permission. Undefined if the field returns an error. */
  readonly otherwise?: 'null' | '[]' | 'ok';
  /** Returns whether the response is right for an object of our workspace. */
  readonly fits: (data: Data, id: string, ours: IsolationWorkspace) => boolean;
  /** Outcome for a revoked, closed or deleted object of our workspace. Defaults to `ok`. */
  readonly ended?: IsolationOutcome;
  /** Outcome for a missing object. Defaults to `NOT_FOUND`. */
  readonly missing?: IsolationOutcome;
  /** Outcome for a malformed id. Defaults to `BAD_REQUEST`. */
  readonly malformed?: IsolationOutcome;
}

const hasRole = ({ roles }: Data, id: string) => roles.some((role: Data) => role.id === id);
const byArtifactId = (artifactId: string) => ({ artifactId });
const aRole = (ours: IsolationWorkspace, parentRoleId?: string) => ({
  ...{ name: ours.make.text(), permissions: ['connectors:read'] },
  ...(parentRoleId && { parentRoleId }),
});

const isOurs = ({ id }: Data, _: string, { tenantId }: IsolationWorkspace) => id === tenantId;

/** The keys are `FIELD.ARGUMENT`, or `FIELD` if the field takes no id. */
export const ISOLATION_CASES: Record<string, IsolationCase> = {
  me: { rest: 'get /api/users/me', fits: (user, _, ours) => user.tenantId === ours.tenantId },
  users: { variables: aPage, fits: isNonEmptyPage },
  roles: {
    rest: 'get /api/users/roles',
    fits: (roles, _, ours) => roles.some((role: Data) => role.id === ours.live.role),
  },
  invitations: { rest: 'get /api/users/invitations', variables: aPage, fits: isNonEmptyPage },
  apiKeys: { variables: aPage, fits: isNonEmptyPage },
  auditEntries: { variables: aPage, fits: isNonEmptyPage },
  rolesTotal: { selection: '', fits: (count) => count > 0 },
  connectorRequests: { rest: 'get /api/connector-requests', variables: aPage, fits: isNonEmptyPage },
  artifacts: { rest: 'get /api/artifacts', variables: aPage, fits: isNonEmptyPage },
  catalogTables: { rest: 'get /api/catalog/tables', variables: aPage, fits: isNonEmptyPage },
  pushedTaps: { variables: aPage, fits: isNonEmptyPage },
  workspace: { fits: isOurs },
  connectors: { rest: 'get /api/connectors', variables: () => ({ limit: 1 }), fits: isNonEmptyPage },
  platformVendors: {
    ...{
      rest: 'get /api/vendors/platform-vendors',
      isPublic: true,
      variables: () => ({ limit: 1 }),
      fits: isNonEmptyPage,
    },
    selection: '{ items { slug name } limit offset total }',
  },

  'connectorRequest.id': {
    ...{ names: 'connectorRequest', rest: 'get /api/connector-requests/{id}', variables: idVariable, fits: hasId },
    missing: 'null',
  },
  'connector.id': {
    ...{ names: 'connector', rest: 'get /api/connectors/{id}', variables: idVariable, fits: hasId },
    ...{ missing: 'null', malformed: 'BAD_REQUEST' },
  },
  'setConnectorBaseUrl.id': {
    ...{ names: 'connector', rest: 'put /api/connectors/{id}/base-url', fits: hasId },
    variables: (id) => ({ id, baseUrl: null }),
  },
  'platformVendor.slug': {
    ...{ names: 'vendor', rest: 'get /api/vendors/platform-vendors/{slug}', isPublic: true, selection: '{ slug }' },
    variables: (slug) => ({ slug }),
    fits: (vendor, slug) => vendor.slug === slug,
    ...{ missing: 'null', malformed: 'null' },
  },
  'platformVendorGroupings.vendorSlug': {
    ...{ names: 'vendor', rest: 'get /api/vendors/platform-vendor-groupings/{vendorSlug}', isPublic: true },
    selection: '{ vendor { slug } }',
    variables: (vendorSlug) => ({ vendorSlug }),
    fits: ([first], slug) => first.vendor.slug === slug,
    ...{ missing: 'null', malformed: 'null' },
  },

  'artifact.artifactId': {
    ...{ names: 'artifact', rest: 'get /api/artifacts/{artifactId}', variables: byArtifactId, fits: hasId },
    ...{ missing: 'null', ended: 'null', otherwise: 'null' },
  },

  ...CONNECTION_CASES,
  ...TABLE_CASES,
  ...QUALITY_CASES,

  createApiKey: {
    variables: (_, ours) => ({ input: { name: ours.make.text(), permissions: ['connectors:read'] } }),
    fits: ({ key, apiKey }, _, ours) => key.startsWith(`wak_${ours.tenantId}`) && key.endsWith(apiKey.ending),
  },
  createConnectorRequest: {
    rest: 'post /api/connector-requests/connector-requests',
    variables: (_, ours) => ({ connectorName: ours.make.text() }),
    fits: ({ status }) => status === 'pending',
  },
  uploadArtifact: {
    rest: 'post /api/artifacts/upload-artifact',
    variables: (_, { make }) => ({ file: make.aFile() }),
    fits: ({ artifact }) => artifact.uploadStatus === 'ready',
  },
  'runArtifactSchemaInference.artifactId': {
    ...{ names: 'artifact', rest: 'post /api/artifacts/run-artifact-schema-inference', variables: byArtifactId },
    fits: ({ artifact, inference }, id) => artifact.id === id && inference.model === 'rules/3',
    ended: 'NOT_FOUND',
  },
  'updateArtifact.artifactId': {
    ...{ names: 'artifact', rest: 'patch /api/artifacts/{artifactId}', fits: hasId, ended: 'NOT_FOUND' },
    variables: (artifactId, { slug }) => ({ artifactId, path: `/${slug}/moved` }),
  },
  'deleteArtifact.artifactId': {
    ...{ names: 'artifact', rest: 'delete /api/artifacts/{artifactId}', variables: byArtifactId },
    ...{ fits: isTrue, ended: 'NOT_FOUND' },
  },
  updateWorkspace: { variables: (_, { make }) => ({ input: { name: make.text() } }), fits: isOurs },
  'createRole.input.parentRoleId': {
    names: 'role',
    variables: (id, ours) => ({ input: aRole(ours, id) }),
    fits: ({ parentRoleId }, id) => parentRoleId === id,
    ended: 'NOT_FOUND',
  },
  'deleteRole.id': { names: 'role', variables: idVariable, fits: isTrue, ended: 'NOT_FOUND' },
  'inviteUser.roleIds': {
    ...{ names: 'role', rest: 'post /api/users/invitations', ended: 'NOT_FOUND' },
    variables: (id, ours) => ({ email: ours.make.email(), roleIds: [id] }),
    fits: hasRole,
  },
  'moveConnectorRequest.id': {
    names: 'connectorRequest',
    variables: (id) => ({ id, status: 'duplicate' }),
    fits: (request, id) => hasId(request, id) && request.status === 'duplicate',
    ended: 'CONFLICT',
  },
  'moveConnectorRequest.resultConnectorId': {
    names: 'connector',
    isRepeated: true,
    other: ({ make }) => make.movedRequest(IN_PROGRESS),
    variables: (id, _, other) => ({ id: other, status: 'completed', resultConnectorId: id }),
    fits: ({ resultConnectorId }, id) => resultConnectorId === id,
  },
  'moveConnectorRequest.resolvedGroupingId': {
    names: 'grouping',
    isRepeated: true,
    other: ({ make }) => make.movedRequest(IN_PROGRESS),
    variables: (id, { live }, other) => ({
      ...{ id: other, status: 'completed', resultConnectorId: live.connector, resolvedGroupingId: id },
    }),
    fits: ({ resolvedGroupingId }, id) => resolvedGroupingId === id,
  },
  'revokeApiKey.id': { names: 'apiKey', variables: idVariable, fits: isTrue },
  'revokeInvite.inviteId': {
    ...{ names: 'invitation', rest: 'delete /api/users/invitations/{inviteId}', fits: isTrue },
    variables: (inviteId) => ({ inviteId }),
  },
  'updateRole.id': {
    names: 'role',
    variables: (id, ours) => ({ id, input: aRole(ours) }),
    fits: hasId,
    ended: 'NOT_FOUND',
  },
  'updateRole.input.parentRoleId': {
    names: 'role',
    other: ({ make }) => make.role(),
    variables: (id, ours, other) => ({ id: other, input: aRole(ours, id) }),
    fits: ({ parentRoleId }, id) => parentRoleId === id,
    ended: 'NOT_FOUND',
  },
  'updateUser.id': {
    names: 'user',
    other: ({ make }) => make.builtInRole('viewer'),
    variables: (id, _, other) => ({ id, input: { roleIds: [other] } }),
    fits: hasId,
  },
  'updateUser.input.roleIds': {
    names: 'role',
    variables: (id, ours) => ({ id: ours.live.user, input: { roleIds: [id] } }),
    fits: hasRole,
    ended: 'NOT_FOUND',
  },
};
