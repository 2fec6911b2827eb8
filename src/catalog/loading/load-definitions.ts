import { type EntityClass, FlushMode, ref } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { CATALOG_LOCK } from '../../kernel/concurrency/advisory-locks.js';
import { VERSION } from '../../kernel/project-root.js';
import { CatalogRevision } from '../catalog-revision.js';
import type { ConnectorDefinition, GroupingDefinition, VendorDefinition } from '../definitions/definition.js';
import { Connector } from '../model/connector.js';
import { ConnectorAuthStrategy } from '../model/connector-auth-strategy.js';
import { generateConnectorSlug } from '../model/connector-slug.js';
import { ConnectorTap } from '../model/connector-tap.js';
import { InboundAuthStrategy } from '../model/inbound-auth-strategy.js';
import { PlatformVendor } from '../model/platform-vendor.js';
import { PlatformVendorGrouping } from '../model/platform-vendor-grouping.js';
import { type CatalogChanges, computeCatalogChanges } from './catalog-changes.js';
import { effortMetadataOf } from './effort-metadata.js';
import { ExistingRows } from './existing-rows.js';
import { reconcileRows, writeRow } from './reconcile-rows.js';
import { Removals } from './removals.js';

export interface LoadReport extends CatalogChanges {
  /** A load keeps these vendors, because an unmounted folder must not break connections. */
  vendorsWithoutDefinition: string[];
}

/**
 * Updates the catalog in one transaction. Matches rows by their natural keys, so that ids and connector slugs remain
 * stable. A second load of the same definitions writes nothing. Throws `CatalogInUseError` if the definitions lack
 * parts that connections use.
 */
export async function loadDefinitions(
  em: EntityManager,
  definitions: readonly VendorDefinition[],
): Promise<LoadReport> {
  // No flush may happen before `computeCatalogChanges`, because the unit of work forgets the changes that it has
  // flushed.
  return em.fork({ flushMode: FlushMode.COMMIT }).transactional(async (tx) => {
    // Another process that loads the catalog can hold the lock for a long time.
    await tx.execute('set local statement_timeout = 0');
    // The transaction is idle while this process computes the changes, which can take a long time.
    await tx.execute('set local idle_in_transaction_session_timeout = 0');
    await tx.execute('select pg_advisory_xact_lock(?)', [CATALOG_LOCK]);
    const slugs = definitions.map(({ slug }) => slug);
    const existing = await ExistingRows.read(tx, slugs);
    const removals = new Removals();
    for (const definition of definitions) await loadVendor(tx, definition, existing, removals);
    const changes = computeCatalogChanges(tx, removals);
    if (Object.values(changes).some((paths) => paths.length > 0)) await replaceRevision(tx);
    await tx.flush();
    await removals.execute(tx);
    const others = await tx.find(PlatformVendor, { slug: { $nin: slugs } }, { fields: ['slug'] });
    return { ...changes, vendorsWithoutDefinition: others.map(({ slug }) => slug).sort() };
  });
}

async function replaceRevision(em: EntityManager): Promise<void> {
  await em.nativeDelete(CatalogRevision, {});
  await em.insert(CatalogRevision, new CatalogRevision());
}

async function loadVendor(
  em: EntityManager,
  definition: VendorDefinition,
  existing: ExistingRows,
  removals: Removals,
): Promise<void> {
  const { slug } = definition;
  const vendor = writeRow(em, PlatformVendor, definition, existing.vendor(slug));

  const connectors = await loadConnectors(em, vendor, definition.connectors ?? [], existing, removals);
  const groupings = reconcileRows(
    em,
    PlatformVendorGrouping,
    existing.of(PlatformVendorGrouping, vendor),
    (row) => row.groupingPath,
  );
  const visit = (grouping: GroupingDefinition, place: number, parent?: PlatformVendorGrouping): void => {
    const connector = grouping.connector ? connectors.get(grouping.connector) : undefined;
    const { integrationClass, protocolType, ingestionConfigSchema, setupDocumentation, apiVersion } = connector ?? {};
    const groupingPath = parent ? `${parent.groupingPath}/${grouping.slug}` : grouping.slug;
    const row = groupings.put(groupingPath, {
      sortOrder: (place + 1) * 10,
      integrationClass,
      protocolType,
      ingestionConfigSchema,
      logo: vendor.logo,
      docs: setupDocumentation,
      externalVersion: apiVersion,
      platformVersion: VERSION,
      ...grouping,
      isLeaf: !grouping.groupings?.length,
      breadcrumbs: [...(parent?.breadcrumbs ?? [vendor.name]), grouping.name],
      groupingPath,
    });
    row.vendor = ref(vendor);
    row.parent = parent && ref(parent);
    row.connector = connector && ref(connector);
    const strategiesOf = grouping.strategiesOf ? connectors.get(grouping.strategiesOf) : undefined;
    row.strategiesOf = strategiesOf && ref(strategiesOf);
    for (const [place, child] of (grouping.groupings ?? []).entries()) visit(child, place, row);
  };
  for (const [place, grouping] of definition.groupings.entries()) visit(grouping, place);
  groupings.removeOthers(removals);
}

async function loadConnectors(
  em: EntityManager,
  vendor: PlatformVendor,
  definitions: readonly ConnectorDefinition[],
  existing: ExistingRows,
  removals: Removals,
): Promise<Map<string, Connector>> {
  const rows = existing.of(Connector, vendor);
  const byKey = ({ definitionKey }: { definitionKey: string }): string => definitionKey;
  const connectors = reconcileRows(em, Connector, rows, byKey);
  const result = new Map<string, Connector>();
  for (const definition of definitions) {
    const { key, supportedAuthStrategies, inboundAuthStrategies = [], taps } = definition;
    const effortMetadata = effortMetadataOf(definition);
    const connector = connectors.put(key, { effortMetadata, ...definition, definitionKey: key });
    connector.vendor = ref(vendor);
    connector.slug ??= await generateUniqueSlug(em, taps[0]?.name ?? definition.name);
    result.set(key, connector);

    const parts = [
      {
        entity: ConnectorAuthStrategy,
        definitions: supportedAuthStrategies.map((one) => ({ ...one, definitionKey: one.key })),
        name: 'definitionKey',
      },
      {
        entity: InboundAuthStrategy,
        definitions: inboundAuthStrategies.map((one) => ({ ...one, definitionKey: one.key })),
        name: 'definitionKey',
      },
      { entity: ConnectorTap, definitions: taps, name: 'name' },
    ] as const;
    for (const { entity, definitions: wanted, name } of parts)
      loadParts(em, connector, entity as never, wanted as never, name as never, existing, removals);
  }
  connectors.removeOthers(removals);
  return result;
}

function loadParts<Part extends object & { connector: unknown; position: number }>(
  em: EntityManager,
  connector: Connector,
  entity: EntityClass<Part>,
  definitions: readonly Record<string, unknown>[],
  name: keyof Part & string,
  existing: ExistingRows,
  removals: Removals,
): void {
  const parts = reconcileRows(em, entity, existing.of(entity, connector), (row) => row[name] as string);
  definitions.forEach((definition, position) => {
    const part = parts.put(definition[name] as string, definition);
    part.connector = ref(connector);
    part.position = position;
  });
  parts.removeOthers(removals);
}

async function generateUniqueSlug(em: EntityManager, name: string): Promise<string> {
  for (;;) {
    const slug = generateConnectorSlug(name);
    if ((await em.count(Connector, { slug })) === 0) return slug;
  }
}
