import { artifacts } from './artifacts/index.js';
import { catalog } from './catalog/index.js';
import { ingest } from './ingest/index.js';
import { instances } from './instances/index.js';
import type { DomainManifest } from './kernel/entities/domain-manifest.js';
import { quality } from './quality/index.js';
import { secrets } from './secrets/index.js';
import { syncs } from './syncs/index.js';
import { tables } from './tables/index.js';
import { tenancy } from './tenancy/index.js';

/** A domain may import only from earlier domains in this list. */
export const domains = [
  tenancy,
  secrets,
  catalog,
  instances,
  artifacts,
  tables,
  syncs,
  ingest,
  quality,
] satisfies readonly DomainManifest[];
