import type { MikroORM } from '@mikro-orm/postgresql';
import { DefinitionError } from './catalog/definitions/read-definitions.js';
import { readAllDefinitions } from './catalog/definitions/shipped-definitions.js';
import { CatalogInUseError } from './catalog/loading/catalog-in-use-error.js';
import { loadDefinitions } from './catalog/loading/load-definitions.js';
import type { Config } from './config.js';
import { addNewTaps } from './instances/lifecycle/add-new-taps.js';
import type { Logger } from './kernel/logger.js';
import { StartupError } from './kernel/startup-error.js';

/**
 * Loads the definitions, and adds new taps to existing connections. `orm` must be connected as the owner role. Throws
 * `StartupError`.
 */
export async function loadCatalog(orm: MikroORM, config: Config, log: Logger): Promise<void> {
  const { catalogDir } = config;
  const definitions = await readAllDefinitions(config).catch((error: NodeJS.ErrnoException) => {
    if (error instanceof DefinitionError) throw new StartupError(error.message);
    if (!error.path) throw error;
    const origin = catalogDir && error.path.startsWith(catalogDir) ? 'CATALOG_DIR' : 'The bundled catalog';
    throw new StartupError(`${origin}: ${error.path} cannot be read (${error.code})`);
  });
  const { added, changed, removed, vendorsWithoutDefinition } = await loadDefinitions(orm.em, definitions).catch(
    (error) => {
      throw error instanceof CatalogInUseError ? new StartupError(error.message) : error;
    },
  );
  const counts = { vendors: definitions.length, added: added.length, changed: changed.length, removed: removed.length };
  log.info(counts, 'catalog loaded');
  const taps = await addNewTaps(orm.em);
  if (taps) log.info({ taps }, 'added taps to connections, because their connectors have new taps');
  for (const [what, paths] of Object.entries({ changed, removed }))
    for (const path of paths) log.info({ path }, `catalog: ${what}`);
  if (vendorsWithoutDefinition.length)
    log.warn({ vendors: vendorsWithoutDefinition }, 'catalog: vendors without a definition remain in the database');
}
