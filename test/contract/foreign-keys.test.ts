import { type EntityMetadata, type EntityProperty, ReferenceKind } from '@mikro-orm/core';
import { type GraphQLField, getNamedType, isListType, isNonNullType, isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createOrm } from '../../src/database/orm.js';
import { domains } from '../../src/domains.js';
import { createSchema } from '../../src/graphql-schema.js';
import type { DomainManifest } from '../../src/kernel/entities/domain-manifest.js';
import { IdColumn } from '../../src/kernel/ids.js';
import { allLists } from '../../src/kernel/reading/list-fields.js';

const metadata = createOrm('postgresql://nowhere/taproot').getMetadata();
const schema = await createSchema(metadata);
const declared = domains.flatMap(({ lists = [] }: DomainManifest) => lists);
const lists = allLists(schema, metadata, declared);
const rowEdges = domains.flatMap(({ rows = [] }: DomainManifest) => rows);

const INTERNAL = 'The row is internal.';

/** Foreign keys that have no GraphQL field at all, each with its reason. */
const OF_NEITHER: Record<string, string> = {
  'PlatformVendorGrouping.strategiesOf': '`supportedAuthStrategies` returns these strategies.',
  'AuditEntry.objectId': 'The object may have any type and may be deleted.',
  'CatalogTable.writer': 'A lease, not an object.',
  'TableFile.generation': 'Set while a sync replaces the rows, when no reader sees the file.',
  'Artifact.inferenceRun': 'A lease, not an object.',
  'IngestBatch.credential': 'The sender counts as verified when the batch is loaded.',
};

/** Foreign keys that have no GraphQL field on the row, each with its reason. */
const WITHOUT_ROW: Record<string, string> = {
  ...OF_NEITHER,
  'IngestBatch.tap': '`TenantConnectorTap.pendingBatches` lists the batches of a tap.',
  'IngestDelivery.tap': '`TenantConnectorTap.deliveries` lists the deliveries of a tap.',
};

/** Foreign keys that have no GraphQL field on the referenced row, each with its reason. */
const WITHOUT_LIST: Record<string, string> = {
  ...OF_NEITHER,
  'CredentialMetadata.strategy': 'Credentials are read through their connection.',
  'CredentialMetadata.inboundAuthStrategy': 'Credentials are read through their connection.',
  'TableVersion.tapRunId': '`CatalogTable.versions` lists the versions with their tap run.',
  'Publication.artifactId': '`Artifact.taps` returns the taps with their publication.',
};

/**
 * Maps the property with an author's id to the GraphQL field that returns the author. `User` has no lists of the rows
 * that a user has changed, because the audit trail lists these changes.
 */
const AUTHORS: Record<string, string> = {
  createdBy: 'createdByUser',
  updatedBy: 'updatedByUser',
  movedBy: 'movedByUser',
  actorId: 'actorUser',
};

/** Entities that have no GraphQL type, each with its reason. */
const INTERNAL_ENTITIES: Record<string, string> = {
  UserRole: '`User.roles` and `Role.users` replace the link.',
  ConnectorBaseUrl: '`Connector.effectiveBaseUrl` replaces the row.',
  SealedCredential: 'The row holds secrets.',
  OAuthFlow: 'The row holds secrets.',
  IdempotentRequest: INTERNAL,
  SyncSlice: INTERNAL,
  TapState: INTERNAL,
  TapRunLog: '`TapRun.timeline` replaces the row.',
};

interface ForeignKey {
  readonly key: string;
  readonly entity: EntityMetadata;
  readonly property: EntityProperty;
}

const keys: ForeignKey[] = [...metadata.getAll().values()]
  .filter(({ abstract }) => !abstract)
  .flatMap((entity) =>
    entity.props.filter(isForeignKey).map((property) => ({
      ...{ key: `${entity.className}.${property.name}`, entity, property },
    })),
  );

function isForeignKey({ kind, name, primary, customType }: EntityProperty): boolean {
  const isId = customType instanceof IdColumn && !primary && name !== 'tenantId';
  return kind === ReferenceKind.MANY_TO_ONE || (kind === ReferenceKind.SCALAR && isId);
}

function fieldsOf(className: string): Record<string, GraphQLField<unknown, unknown>> {
  const type = schema.getType(className);
  return isObjectType(type) ? type.getFields() : {};
}

function isListField({ type }: GraphQLField<unknown, unknown>): boolean {
  return isListType(isNonNullType(type) ? type.ofType : type);
}

/**
 * Returns the type name of the GraphQL field for the referenced row. Returns undefined if the referencing type has no
 * such field.
 */
function typeOfRow({ entity, property: { name } }: ForeignKey): string | undefined {
  const edge = rowEdges.find(({ on, by }) => on === entity.class && by === name);
  const field = fieldsOf(entity.className)[edge?.name ?? AUTHORS[name] ?? name];
  return field && getNamedType(field.type).name;
}

function targetOf({ entity, property }: ForeignKey): string | undefined {
  if (AUTHORS[property.name]) return 'Actor';
  const edge = rowEdges.find(({ on, by }) => on === entity.class && by === property.name);
  return edge?.to.name ?? property.targetMeta?.className;
}

/** Returns whether the type of the referenced row has a field for the referencing row or rows. */
function isListed(foreign: ForeignKey): boolean {
  const { entity, property } = foreign;
  const target = targetOf(foreign) as string;
  const isDeclared = lists.some(
    ({ on, of, by }) => on.name === target && of.name === entity.className && by === property.name,
  );
  const fields = Object.values(fieldsOf(target));
  return (
    isDeclared || fields.some((field) => getNamedType(field.type).name === entity.className && !isListField(field))
  );
}

const ofInterface = keys.filter(({ entity }) => !(entity.className in INTERNAL_ENTITIES));

describe('foreign keys', () => {
  it('leads to the referenced row, unless it is an exception', () => {
    const missing = ofInterface.filter((foreign) => {
      const type = typeOfRow(foreign);
      return type === undefined || type !== targetOf(foreign);
    });
    expect(missing.map(({ key }) => key).sort()).toEqual(Object.keys(WITHOUT_ROW).sort());
    expect(keys.length).toBeGreaterThan(60);
  });

  it('leads back from the referenced row, unless it is an exception', () => {
    const oneWay = ofInterface.filter((foreign) => !AUTHORS[foreign.property.name] && !isListed(foreign));
    expect(oneWay.map(({ key }) => key).sort()).toEqual(Object.keys(WITHOUT_LIST).sort());
  });

  it('no internal entity is a type of the schema', () => {
    const internal = [...new Set(keys.map(({ entity }) => entity.className))].filter((name) => !schema.getType(name));
    expect(internal.sort()).toEqual(Object.keys(INTERNAL_ENTITIES).sort());
  });
});
