import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { join } from 'node:path';
import type { MikroORM } from '@mikro-orm/postgresql';
import type Koa from 'koa';
import type { Context } from 'koa';
import { createRestFacade } from '../rest-facade/index.js';
import { createOpenApi } from '../rest-facade/openapi.js';
import type { FilePart } from '../rest-facade/streams/multipart-form.js';
import { admitAnnouncedUpload } from './artifacts/admit-upload.js';
import type { ArtifactContext } from './artifacts/artifact-context.js';
import { UploadStaging } from './artifacts/upload-staging.js';
import { readCatalogRevision } from './catalog/catalog-revision.js';
import { DefinitionError, readDefinitions } from './catalog/definitions/read-definitions.js';
import { CatalogInUseError } from './catalog/loading/catalog-in-use-error.js';
import { loadDefinitions } from './catalog/loading/load-definitions.js';
import { composeArtifacts } from './compose-artifacts.js';
import { composeConnections, type ProcessServices } from './compose-connections.js';
import { composeIngest } from './compose-ingest.js';
import { composeQuality } from './compose-quality.js';
import { composeTables } from './compose-tables.js';
import type { Config } from './config.js';
import { createSecretStore } from './create-secret-store.js';
import { findDatabaseFault, openDatabase } from './database/open-database.js';
import { createSchema, prepareOperation } from './graphql-schema.js';
import { createApp } from './http/app.js';
import type { ReadAnonymousBody } from './http/graphql/graphql-body.js';
import { createGraphqlEndpoint } from './http/graphql/graphql-endpoint.js';
import { createHttpServer } from './http/http-server.js';
import type { IngestEndpointServices } from './http/ingest-endpoint.js';
import { createMetrics, type Metrics } from './http/metrics.js';
import { createMetricsApp } from './http/metrics-app.js';
import type { OAuthCallbackServices } from './http/oauth-callback.js';
import { createErrorReporter, createJobErrorReporter } from './http/report-error.js';
import { type AdmissionServices, RequestAdmission } from './http/request-admission.js';
import { RequestRateLimiter } from './http/request-rate-limiter.js';
import { withTokenRevocation } from './ingest/revoke-tap-tokens.js';
import { addNewTaps } from './instances/lifecycle/add-new-taps.js';
import { createJobHandlers } from './job-handlers.js';
import { EntityTables } from './kernel/entities/entity-tables.js';
import { AppError } from './kernel/errors.js';
import { IncomingFile } from './kernel/files/incoming-file.js';
import { Jobs } from './kernel/jobs/jobs.js';
import type { Logger } from './kernel/logger.js';
import { OutboundClient } from './kernel/outbound/outbound-client.js';
import { PROJECT_ROOT } from './kernel/project-root.js';
import { ReaderFactory } from './kernel/reading/reader-factory.js';
import type { RequestContext } from './kernel/reading/request-context.js';
import { StartupError } from './kernel/startup-error.js';
import type { QualityServices } from './quality/runs/quality-services.js';
import { rethrowDataDirError } from './rethrow-data-dir-error.js';
import { SHUTDOWN_GRACE_MS, shutDown } from './shutdown.js';
import { requireFieldAccess } from './tenancy/access.js';
import { Authenticator } from './tenancy/authentication/authenticator.js';
import { createLocalIssuer } from './tenancy/authentication/local-issuer.js';
import { createProviderKeys } from './tenancy/authentication/provider-keys.js';
import { IdempotentExecutor } from './tenancy/idempotency/idempotent-executor.js';
import { logInvitations } from './tenancy/invitation-delivery.js';
import { StorageQuota } from './tenancy/storage-quota.js';
import type { WorkspaceContext } from './tenancy/workspace-context.js';
import { seedDemo } from './tenancy/workspaces/seed-demo.js';

export interface Service {
  readonly url: string;
  readonly metricsUrl: string;
  /** Shuts down `delay` milliseconds after `/readyz` fails, then closes the database. */
  stop(delay?: number): Promise<void>;
}

/** Database, catalog, app, jobs, port: in this order, and let go of in the reverse one. */
export async function startService(config: Config, log: Logger): Promise<Service> {
  const database = await openDatabase(config, log, (owner) => loadCatalog(owner, config, log));
  const outbound = new OutboundClient({
    allow: config.egressAllow,
    userAgent: config.userAgent,
    onBlockedCall: (refusal) => log.warn(refusal, 'outbound call refused'),
  });
  const jobs = new Jobs({
    databaseUrl: database.url,
    report: createJobErrorReporter(log),
    graceSeconds: SHUTDOWN_GRACE_MS / 1_000,
  });
  const letGo = (): Promise<void> => jobs.stop().finally(() => outbound.close().finally(database.close));
  const servers: Server[] = [];
  try {
    let url = '';
    const baseUrl = (): string => config.publicUrl ?? url;
    const parts = await composeServices(database.orm, config, { outbound, jobs, baseUrl }, log);
    if (config.seedDemo) await seedDemo(parts);
    const stopping = new AbortController();
    const { signal } = stopping;
    const app = await composeApp(parts, log, baseUrl, { stopping: signal });
    const { corsOrigins, connectionsPerAddress } = config;
    const server = createHttpServer(app, { corsOrigins, connectionsPerAddress, stopping: signal });
    const metricsServer = createHttpServer(createMetricsApp(parts.metrics));
    servers.push(server, metricsServer);
    await jobs.start(config.runsJobs ? createJobHandlers(parts) : []);
    await listen(server, config, '');
    await listen(metricsServer, config.metrics, 'METRICS_');
    url = addressOf(server, config.host); // kept: a server that was closed has no address
    const metricsUrl = `${addressOf(metricsServer, config.metrics.host)}/metrics`;
    const releases = [
      () => parts.artifacts.csv.close(),
      () => parts.tableServices.localFiles.close(),
      () => parts.tableServices.duckdb.close(),
      () => parts.quality.inspection.duckdb.close(),
      letGo, // an embedded database must not go on alone
    ];
    return { url, metricsUrl, stop: (delay = 0) => shutDown({ servers, jobs, stopping, releases }, delay) };
  } catch (error) {
    for (const server of servers) server.close();
    await letGo();
    throw error;
  }
}

async function loadCatalog(orm: MikroORM, { loadsShippedCatalog, catalogDir }: Config, log: Logger): Promise<void> {
  const folders = [
    ...(loadsShippedCatalog ? [join(PROJECT_ROOT, 'catalog')] : []),
    ...(catalogDir ? [catalogDir] : []),
  ];
  const definitions = await readDefinitions(folders).catch((error: NodeJS.ErrnoException) => {
    if (error instanceof DefinitionError) throw new StartupError(error.message);
    throw error.path ? new StartupError(`CATALOG_DIR: ${error.path} cannot be read (${error.code})`) : error;
  });
  const { added, changed, removed, vendorsWithoutDefinition } = await loadDefinitions(orm.em, definitions).catch(
    (error) => {
      throw error instanceof CatalogInUseError ? new StartupError(error.message) : error;
    },
  );
  const counts = { vendors: definitions.length, added: added.length, changed: changed.length, removed: removed.length };
  log.info(counts, 'the catalog is loaded');
  const taps = await addNewTaps(orm.em);
  if (taps) log.info({ taps }, 'connections have the new taps of their connectors');
  for (const [what, paths] of Object.entries({ changed, removed }))
    for (const path of paths) log.info({ path }, `catalog: ${what}`);
  if (vendorsWithoutDefinition.length)
    log.warn({ vendors: vendorsWithoutDefinition }, 'catalog: vendors without a definition are kept');
}

/** What the app is made of, on a database. */
export interface Services extends AdmissionServices {
  readonly orm: MikroORM;
  readonly quality: QualityServices;
  readonly metrics: Metrics;
  readonly corsOrigins: readonly string[];
}

export async function composeServices(
  orm: MikroORM,
  config: Config,
  outside: ProcessServices,
  log: Logger,
): Promise<Services> {
  const { outbound } = outside;
  const { auth, dataDir, workspaceBaseDomain: baseDomain, rateLimits, proxyHops } = config;
  const { em } = orm;
  const tables = new EntityTables(orm.getMetadata());
  const pool = await em.getConnection().getNativeClient();
  const readers = new ReaderFactory(tables, pool);
  const issuer = auth
    ? { name: auth.issuer, audience: auth.audience, keys: createProviderKeys(auth.issuer, auth.jwksUrl, outbound) }
    : await createLocalIssuer(dataDir).catch(rethrowDataDirError(dataDir));
  const authentication = new Authenticator({ em, tables, readers, issuer, baseDomain });
  const limits = new RequestRateLimiter(rateLimits);
  const secrets = await createSecretStore(config, { readers, outbound });
  const report = createErrorReporter(log);
  const storage = new StorageQuota(config.storageQuotaBytes);
  const connections = composeConnections({ em, tables, readers, pool, secrets, report, rateLimits, ...outside });
  const artifacts = await composeArtifacts(config, { ...outside, report });
  const ground = await composeTables(config, {
    ...{ em, tables, jobs: outside.jobs, store: artifacts.store, storage, report },
  });
  const { quality, hooks } = composeQuality(ground);
  const tableServices = { ...ground, hooks: withTokenRevocation(hooks) };
  const ingest = composeIngest(config, { em, tables, readers, secrets, storage, jobs: outside.jobs });
  const invitations = logInvitations(log);
  const access = { readers, authentication, limits, invitations, storage, proxyHops };
  const http = { metrics: createMetrics(), corsOrigins: config.corsOrigins };
  return { orm, em, tables, ...access, ...http, connections, artifacts, tableServices, quality, ingest };
}

/** `keepsReplies: false` has every public read ask the database. `stopping` is aborted when the service stops. */
export async function composeApp(
  parts: Services,
  log: Logger,
  baseUrl: () => string,
  { keepsReplies = true, stopping = new AbortController().signal } = {},
): Promise<Koa> {
  const { orm, readers } = parts;
  const schema = await createSchema(orm.getMetadata());
  const report = createErrorReporter(log);
  const admission = new RequestAdmission(parts);
  const answers = new IdempotentExecutor();
  const admit = (ctx: Context): Promise<RequestContext> =>
    ctx.get('Authorization') ? admission.admit(ctx) : admission.admitAnonymous(ctx);

  const receive = ({ bytes, name, length }: FilePart): IncomingFile =>
    new IncomingFile(bytes, name, length, parts.artifacts.maxBytes);

  const staged = new UploadStaging(parts.tableServices.folder);
  const restFacade = createRestFacade<RequestContext>({
    schema,
    prepare: (document) => prepareOperation(schema, document, report),
    admitAnonymous: (ctx) => admission.admitAnonymous(ctx),
    admitCaller: (ctx) => admission.admitCaller(ctx),
    authorize: (context, field) => requireFieldAccess(context, field),
    executeOnce: (context, request, answer) => answers.execute(context as WorkspaceContext, request, answer),
    uploads: {
      admit: (context, announced) => admitAnnouncedUpload(context as ArtifactContext, announced),
      stage: (context, file) => staged.stage(context as ArtifactContext, receive(file).read()),
      receive,
      reject: (code, message) => new AppError(code, message),
    },
    baseUrl,
    ...(keepsReplies && { publicRevision: () => readCatalogRevision(readers.forPlatform()) }),
  });
  const readBody: ReadAnonymousBody = (ctx, read) => admission.readBody(ctx, read);
  const graphql = await createGraphqlEndpoint(schema, admit, readBody, report);
  const pool = await orm.em.getConnection().getNativeClient();
  let asking: Promise<AppError | undefined> | undefined;
  // Anyone may ask at any rate: concurrent requests share one statement.
  const findFault = (): Promise<AppError | undefined> =>
    (asking ??= findDatabaseFault(pool).finally(() => {
      asking = undefined;
    }));
  const oauthCallback: OAuthCallbackServices = {
    admit: (ctx) => admission.admitAnonymous(ctx),
    workspaceIdOf: (slug) => parts.authentication.workspaceIdOf(slug),
    contextOf: (caller, ctx) => admission.contextOf(caller, ctx),
    baseUrl,
  };
  const ingestDoor: IngestEndpointServices = {
    ...{ ingest: parts.ingest, limits: parts.limits, baseUrl },
    admitAnonymous: (ctx) => admission.admitAnonymous(ctx),
    requireRemaining: (ctx) => admission.requireRemaining(ctx),
  };
  const openapi = (): object => createOpenApi(schema, baseUrl());
  const { metrics, corsOrigins } = parts;
  const seen = { log, report, metrics, stopping, findFault };
  return createApp({ ...seen, corsOrigins, openapi, graphql, restFacade, oauthCallback, ingestEndpoint: ingestDoor });
}

/** `prefix` is that of its variables. */
async function listen(server: Server, { host, port }: Config['metrics'], prefix: string): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening').catch(({ code }: NodeJS.ErrnoException) => {
    const why = code === 'EADDRINUSE' ? 'is in use' : `cannot be opened (${code})`;
    throw new StartupError(`port ${port} on ${host} ${why}; set ${prefix}PORT or ${prefix}HOST`);
  });
}

function addressOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  const everywhere = host === '0.0.0.0' || host === '::';
  return `http://${everywhere ? 'localhost' : isIPv6(host) ? `[${host}]` : host}:${port}`;
}
