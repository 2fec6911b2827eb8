import type { EntityClass, Ref } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Connector } from '../model/connector.js';
import { ConnectorAuthStrategy } from '../model/connector-auth-strategy.js';
import { ConnectorTap } from '../model/connector-tap.js';
import { InboundAuthStrategy } from '../model/inbound-auth-strategy.js';
import { PlatformVendor } from '../model/platform-vendor.js';
import { PlatformVendorGrouping } from '../model/platform-vendor-grouping.js';

/** At most six statements read the rows of all given vendors. */
export class ExistingRows {
  readonly #vendors = new Map<string, PlatformVendor>();
  readonly #parts = new Map<EntityClass<object>, Map<object, object[]>>();

  static async read(em: EntityManager, slugs: readonly string[]): Promise<ExistingRows> {
    const existing = new ExistingRows();
    const vendors = await em.find(PlatformVendor, { slug: { $in: [...slugs] } });
    for (const vendor of vendors) existing.#vendors.set(vendor.slug, vendor);
    if (vendors.length === 0) return existing;
    const ofVendors = { vendor: { $in: vendors } };
    const connectors = await em.find(Connector, ofVendors);
    existing.#keep(Connector, connectors, ({ vendor }) => vendor);
    existing.#keep(PlatformVendorGrouping, await em.find(PlatformVendorGrouping, ofVendors), ({ vendor }) => vendor);
    if (connectors.length === 0) return existing;
    for (const entity of [ConnectorAuthStrategy, InboundAuthStrategy, ConnectorTap]) {
      const parts = await em.find(entity as EntityClass<ConnectorTap>, { connector: { $in: connectors } });
      existing.#keep(entity, parts, ({ connector }) => connector);
    }
    return existing;
  }

  vendor(slug: string): PlatformVendor | undefined {
    return this.#vendors.get(slug);
  }

  of<Row extends object>(entity: EntityClass<Row>, owner: object): Row[] {
    return (this.#parts.get(entity)?.get(owner) ?? []) as Row[];
  }

  #keep<Row extends object>(entity: EntityClass<object>, rows: Row[], ownerOf: (row: Row) => Ref<object>): void {
    this.#parts.set(
      entity,
      Map.groupBy(rows, (row) => ownerOf(row).unwrap()),
    );
  }
}
