import type { EntityClass } from '@mikro-orm/core';
import { KnownRows } from '../../kernel/reading/known-rows.js';
import type { Lean, Reader } from '../../kernel/reading/reader.js';
import type { CatalogRevision } from '../catalog-revision.js';
import { Connector } from '../model/connector.js';
import { ConnectorAuthStrategy } from '../model/connector-auth-strategy.js';
import { ConnectorTap } from '../model/connector-tap.js';
import { PlatformVendor } from '../model/platform-vendor.js';

const DEFINITIONS: ReadonlySet<EntityClass<object>> = new Set([
  Connector,
  ConnectorAuthStrategy,
  ConnectorTap,
  PlatformVendor,
]);

/** Caches the definitions of one revision of the catalog. */
export class KnownDefinitions {
  #revision: string | undefined;
  #rows = new KnownRows(DEFINITIONS);

  /** The caller must read `revision` before all other rows. */
  use(read: Reader, revision: Lean<CatalogRevision> | undefined): void {
    if (!revision) return;
    if (revision.id !== this.#revision) {
      this.#revision = revision.id;
      this.#rows = new KnownRows(DEFINITIONS);
    }
    read.state.known = this.#rows;
  }
}
