import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import type Koa from 'koa';
import type { Context } from 'koa';
import { createRestFacade } from '../rest-facade/index.js';
import { createOpenApi } from '../rest-facade/openapi.js';
import { createApp } from './app.js';
import { readCatalogRevision } from './catalog/catalog-revision.js';
import { loadDefinitions } from './catalog/load-definitions.js';
import { DefinitionError, readDefinitions } from './catalog/read-definitions.js';
import type { Config } from './config.js';
import { openDatabase } from './database.js';
import { createSchema, prepareOperation } from './graphql.js';
import { createGraphqlEndpoint } from './graphql-endpoint.js';
import { createHttpServer } from './http-server.js';
import { PROJECT_ROOT } from './kernel/project-root.js';
import { Reader, Tables } from './kernel/reading.js';
import type { RequestContext } from './kernel/request-context.js';
import type { Logger } from './log.js';
import { errorReporter } from './report-error.js';
import { StartupError } from './startup-error.js';

export interface Service {
  readonly url: string;
  /** Lets requests under way finish, for `GRACE` milliseconds at most, then lets go of the database. */
  stop(): Promise<void>;
}

const GRACE = 10_000;

/** Database, catalog, app, port: in this order, and let go of in the reverse one. */
export async function startService(config: Config, log: Logger): Promise<Service> {
  const database = await openDatabase(config, log);
  try {
    await loadCatalog(database.orm, config, log);
    let server: Server;
    const baseUrl = (): string => config.publicUrl ?? addressOf(server, config.host);
    server = createHttpServer(await composeApp(database.orm, log, baseUrl));
    await listen(server, config);
    return { url: addressOf(server, config.host), stop: () => close(server).then(database.close) };
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function loadCatalog(orm: MikroORM, { catalogDir }: Config, log: Logger): Promise<void> {
  const folders = [join(PROJECT_ROOT, 'catalog'), ...(catalogDir ? [catalogDir] : [])];
  const definitions = await readDefinitions(folders).catch((error: NodeJS.ErrnoException) => {
    if (error instanceof DefinitionError) throw new StartupError(error.message);
    throw error.path ? new StartupError(`CATALOG_DIR: ${error.path} cannot be read (${error.code})`) : error;
  });
  const { added, changed, removed, undefinedVendors } = await loadDefinitions(orm.em, definitions);
  const counts = { vendors: definitions.length, added: added.length, changed: changed.length, removed: removed.length };
  log.info(counts, 'the catalog is loaded');
  for (const [what, paths] of Object.entries({ changed, removed }))
    for (const path of paths) log.info({ path }, `catalog: ${what}`);
  if (undefinedVendors.length)
    log.warn({ vendors: undefinedVendors }, 'catalog: vendors without a definition are kept');
}

async function composeApp(orm: MikroORM, log: Logger, baseUrl: () => string): Promise<Koa> {
  const metadata = orm.getMetadata();
  const schema = await createSchema(metadata);
  const report = errorReporter(log);
  const pool = await orm.em.getConnection().getNativeClient();
  const tables = new Tables(metadata);
  const newReader = (): Reader => new Reader(tables, pool);
  const contextOf = (ctx: Context): RequestContext => ({ requestId: ctx.state.requestId, read: newReader() });

  const restFacade = createRestFacade({
    schema,
    prepare: (document) => {
      const operation = prepareOperation(schema, document, report);
      return (ctx, variables) => operation(contextOf(ctx), variables);
    },
    baseUrl,
    publicRevision: () => readCatalogRevision(newReader()),
  });
  const graphql = await createGraphqlEndpoint(schema, contextOf, report);
  const isReady = (): Promise<boolean> => orm.isConnected();
  return createApp({ log, report, isReady, openapi: () => createOpenApi(schema, baseUrl()), graphql, restFacade });
}

async function listen(server: Server, { host, port }: Config): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening').catch(({ code }: NodeJS.ErrnoException) => {
    const why = code === 'EADDRINUSE' ? 'is in use' : `cannot be opened (${code})`;
    throw new StartupError(`port ${port} on ${host} ${why}; set PORT or HOST`);
  });
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  await Promise.race([closed, sleep(GRACE, undefined, { ref: false })]);
  server.closeAllConnections();
}

function addressOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  const everywhere = host === '0.0.0.0' || host === '::';
  return `http://${everywhere ? 'localhost' : isIPv6(host) ? `[${host}]` : host}:${port}`;
}
