import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { join } from 'node:path';
import type { MikroORM } from '@mikro-orm/postgresql';
import type Koa from 'koa';
import type { Context } from 'koa';
import { createRestFacade } from '../rest-facade/index.js';
import { createOpenApi } from '../rest-facade/openapi.js';
import type { FilePart } from '../rest-facade/streams/form.js';
import { Admission, type AdmissionParts } from './admission.js';
import { createApp } from './app.js';
import { admitAnnounced } from './artifacts/admit-upload.js';
import type { ArtifactContext } from './artifacts/artifact-context.js';
import { StagedUploads } from './artifacts/stage-upload.js';
import { CatalogInUse } from './catalog/catalog-in-use.js';
import { readCatalogRevision } from './catalog/catalog-revision.js';
import { loadDefinitions } from './catalog/load-definitions.js';
import { DefinitionError, readDefinitions } from './catalog/read-definitions.js';
import { composeArtifacts } from './compose-artifacts.js';
import { composeConnections, type Outside } from './compose-connections.js';
import { composeIngest } from './compose-ingest.js';
import { composeQuality } from './compose-quality.js';
import { composeTables } from './compose-tables.js';
import type { Config } from './config.js';
import { createSecretStore } from './create-secret-store.js';
import { findDatabaseFault, openDatabase } from './database.js';
import { explainDataDir } from './explain-data-dir.js';
import { createSchema, prepareOperation } from './graphql.js';
import type { ReadBody } from './graphql-body.js';
import { createGraphqlEndpoint } from './graphql-endpoint.js';
import { createHttpServer } from './http-server.js';
import { revokesTokens } from './ingest/revoke-tokens-of-tap.js';
import type { DoorParts } from './ingest-door.js';
import { addNewTaps } from './instances/add-new-taps.js';
import { jobKinds } from './job-kinds.js';
import { AppError } from './kernel/errors.js';
import { IncomingFile } from './kernel/incoming-file.js';
import { Jobs } from './kernel/jobs.js';
import { Outbound } from './kernel/outbound.js';
import { PROJECT_ROOT } from './kernel/project-root.js';
import { Readers } from './kernel/readers.js';
import type { RequestContext } from './kernel/request-context.js';
import { Tables } from './kernel/tables.js';
import type { Logger } from './log.js';
import { createMetrics, type Metrics } from './metrics.js';
import { createMetricsApp } from './metrics-app.js';
import type { CallbackParts } from './oauth-callback.js';
import type { QualityParts } from './quality/quality-context.js';
import { RateLimits } from './rate-limits.js';
import { errorReporter, jobErrorReporter } from './report-error.js';
import { GRACE, shutDown } from './shutdown.js';
import { StartupError } from './startup-error.js';
import { requireAnswer } from './tenancy/access.js';
import { Authentication } from './tenancy/authenticate.js';
import { IdempotentAnswers } from './tenancy/idempotent-answers.js';
import { logInvitations } from './tenancy/invitation-delivery.js';
import { localIssuer } from './tenancy/local-issuer.js';
import { providerKeys } from './tenancy/provider-keys.js';
import { seedDemo } from './tenancy/seed-demo.js';
import { StorageQuota } from './tenancy/storage-quota.js';
import type { WorkspaceContext } from './tenancy/workspace-context.js';

export interface Service {
  readonly url: string;
  readonly metricsUrl: string;
  /** Shuts down `delay` milliseconds after `/readyz` fails, then closes the database. */
  stop(delay?: number): Promise<void>;
}

/** Database, catalog, app, jobs, port: in this order, and let go of in the reverse one. */
export async function startService(config: Config, log: Logger): Promise<Service> {
  const database = await openDatabase(config, log, (owner) => loadCatalog(owner, config, log));
  const outbound = new Outbound({
    allow: config.egressAllow,
    userAgent: config.userAgent,
    onRefusal: (refusal) => log.warn(refusal, 'outbound call refused'),
  });
  const jobs = new Jobs({ databaseUrl: database.url, report: jobErrorReporter(log), graceSeconds: GRACE / 1_000 });
  const letGo = (): Promise<void> => jobs.stop().finally(() => outbound.close().finally(database.close));
  const servers: Server[] = [];
  try {
    let url = '';
    const baseUrl = (): string => config.publicUrl ?? url;
    const parts = await composeParts(database.orm, config, { outbound, jobs, baseUrl }, log);
    if (config.seedDemo) await seedDemo(parts);
    const stopping = new AbortController();
    const { signal } = stopping;
    const app = await composeApp(parts, log, baseUrl, { stopping: signal });
    const { corsOrigins, connectionsPerAddress } = config;
    const server = createHttpServer(app, { corsOrigins, connectionsPerAddress, stopping: signal });
    const metricsServer = createHttpServer(createMetricsApp(parts.metrics));
    servers.push(server, metricsServer);
    await jobs.start(config.runsJobs ? jobKinds(parts) : []);
    await listen(server, config, '');
    await listen(metricsServer, config.metrics, 'METRICS_');
    url = addressOf(server, config.host); // kept: a server that was closed has no address
    const metricsUrl = `${addressOf(metricsServer, config.metrics.host)}/metrics`;
    const releases = [
      () => parts.artifacts.csv.close(),
      () => parts.landed.localFiles.close(),
      () => parts.landed.duckdb.close(),
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
  const { added, changed, removed, undefinedVendors } = await loadDefinitions(orm.em, definitions).catch((error) => {
    throw error instanceof CatalogInUse ? new StartupError(error.message) : error;
  });
  const counts = { vendors: definitions.length, added: added.length, changed: changed.length, removed: removed.length };
  log.info(counts, 'the catalog is loaded');
  const taps = await addNewTaps(orm.em);
  if (taps) log.info({ taps }, 'connections have the new taps of their connectors');
  for (const [what, paths] of Object.entries({ changed, removed }))
    for (const path of paths) log.info({ path }, `catalog: ${what}`);
  if (undefinedVendors.length)
    log.warn({ vendors: undefinedVendors }, 'catalog: vendors without a definition are kept');
}

/** What the app is made of, on a database. */
export interface Parts extends AdmissionParts {
  readonly orm: MikroORM;
  readonly quality: QualityParts;
  readonly metrics: Metrics;
  readonly corsOrigins: readonly string[];
}

export async function composeParts(orm: MikroORM, config: Config, outside: Outside, log: Logger): Promise<Parts> {
  const { outbound } = outside;
  const { auth, dataDir, workspaceBaseDomain: baseDomain, rateLimits, proxyHops } = config;
  const { em } = orm;
  const tables = new Tables(orm.getMetadata());
  const pool = await em.getConnection().getNativeClient();
  const readers = new Readers(tables, pool);
  const issuer = auth
    ? { name: auth.issuer, audience: auth.audience, keys: providerKeys(auth.issuer, auth.jwksUrl, outbound) }
    : await localIssuer(dataDir).catch(explainDataDir(dataDir));
  const authentication = new Authentication({ em, tables, readers, issuer, baseDomain });
  const limits = new RateLimits(rateLimits);
  const secrets = await createSecretStore(config, { readers, outbound });
  const report = errorReporter(log);
  const storage = new StorageQuota(config.storageQuotaBytes);
  const connections = composeConnections({ em, tables, readers, pool, secrets, report, rateLimits, ...outside });
  const artifacts = await composeArtifacts(config, { ...outside, report });
  const ground = await composeTables(config, {
    ...{ em, tables, jobs: outside.jobs, store: artifacts.store, storage, report },
  });
  const { quality, watch } = composeQuality(ground);
  const landed = { ...ground, watch: revokesTokens(watch) };
  const ingest = composeIngest(config, { em, tables, readers, secrets, storage, jobs: outside.jobs });
  const invitations = logInvitations(log);
  const access = { readers, authentication, limits, invitations, storage, proxyHops };
  const http = { metrics: createMetrics(), corsOrigins: config.corsOrigins };
  return { orm, em, tables, ...access, ...http, connections, artifacts, landed, quality, ingest };
}

/** `keepsReplies: false` has every public read ask the database. `stopping` is aborted when the service stops. */
export async function composeApp(
  parts: Parts,
  log: Logger,
  baseUrl: () => string,
  { keepsReplies = true, stopping = new AbortController().signal } = {},
): Promise<Koa> {
  const { orm, readers } = parts;
  const schema = await createSchema(orm.getMetadata());
  const report = errorReporter(log);
  const admission = new Admission(parts);
  const answers = new IdempotentAnswers();
  const admit = (ctx: Context): Promise<RequestContext> =>
    ctx.get('Authorization') ? admission.admit(ctx) : admission.admitAnybody(ctx);

  const receive = ({ bytes, name, length }: FilePart): IncomingFile =>
    new IncomingFile(bytes, name, length, parts.artifacts.maxBytes);

  const staged = new StagedUploads(parts.landed.folder);
  const restFacade = createRestFacade<RequestContext>({
    schema,
    prepare: (document) => prepareOperation(schema, document, report),
    admitAnybody: (ctx) => admission.admitAnybody(ctx),
    admitCaller: (ctx) => admission.admitCaller(ctx),
    authorise: (context, field) => requireAnswer(context, field),
    answerOnce: (context, request, answer) => answers.once(context as WorkspaceContext, request, answer),
    uploads: {
      admit: (context, announced) => admitAnnounced(context as ArtifactContext, announced),
      stage: (context, file) => staged.stage(context as ArtifactContext, receive(file).read()),
      receive,
      refuse: (code, message) => new AppError(code, message),
    },
    baseUrl,
    ...(keepsReplies && { publicRevision: () => readCatalogRevision(readers.ofPlatform()) }),
  });
  const readBody: ReadBody = (ctx, read) => admission.readBody(ctx, read);
  const graphql = await createGraphqlEndpoint(schema, admit, readBody, report);
  const pool = await orm.em.getConnection().getNativeClient();
  let asking: Promise<AppError | undefined> | undefined;
  // Anyone may ask at any rate: concurrent requests share one statement.
  const findFault = (): Promise<AppError | undefined> =>
    (asking ??= findDatabaseFault(pool).finally(() => {
      asking = undefined;
    }));
  const oauthCallback: CallbackParts = {
    admit: (ctx) => admission.admitAnybody(ctx),
    workspaceIdOf: (slug) => parts.authentication.workspaceIdOf(slug),
    contextOf: (caller, ctx) => admission.contextOf(caller, ctx),
    baseUrl,
  };
  const ingestDoor: DoorParts = {
    ...{ ingest: parts.ingest, limits: parts.limits, baseUrl },
    admitAnybody: (ctx) => admission.admitAnybody(ctx),
    requireLeft: (ctx) => admission.requireLeft(ctx),
  };
  const openapi = (): object => createOpenApi(schema, baseUrl());
  const { metrics, corsOrigins } = parts;
  const seen = { log, report, metrics, stopping, findFault };
  return createApp({ ...seen, corsOrigins, openapi, graphql, restFacade, oauthCallback, ingestDoor });
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
