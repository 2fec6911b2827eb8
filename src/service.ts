import type { Server } from 'node:http';
import { composeApp } from './compose-app.js';
import { composeServices, type Services } from './compose-services.js';
import type { Config } from './config.js';
import { openDatabase } from './database/open-database.js';
import { domains } from './domains.js';
import { createHttpServer } from './http/http-server.js';
import { listenOn, serverUrl } from './http/listen.js';
import { createMetricsApp } from './http/metrics-app.js';
import { createJobErrorReporter, createListenErrorReporter } from './http/report-error.js';
import { ChangeFeed } from './kernel/changes/change-feed.js';
import { lowerPriority } from './kernel/concurrency/lower-priority.js';
import type { DomainManifest } from './kernel/entities/domain-manifest.js';
import { collectWholeHeapEvery } from './kernel/files/minor-gc.js';
import { bindJobs, type DomainJob, type JobHandler, selectJobs } from './kernel/jobs/job-queue.js';
import { Jobs } from './kernel/jobs/jobs.js';
import type { Logger } from './kernel/logger.js';
import { OutboundClient } from './kernel/outbound/outbound-client.js';
import { loadCatalog } from './load-catalog.js';
import { SHUTDOWN_GRACE_MS, shutDown } from './shutdown.js';
import { startTracing } from './start-tracing.js';
import { seedDemo } from './tenancy/workspaces/seed-demo.js';

export interface Service {
  readonly url: string;
  readonly metricsUrl: string;
  /** `/readyz` fails immediately. After `delay` milliseconds, the service shuts down and then closes the database. */
  stop(delay?: number): Promise<void>;
}

/**
 * A worker collects the garbage of its whole heap after its tasks have released this number of bytes. The collection
 * limits the memory of the worker (`npm run bench:pull -- memory`).
 */
const WORKER_GARBAGE_BYTES = 16 * 2 ** 20;

/** For the effect of `stop`, see `shutDown`. */
export async function startService(config: Config, log: Logger): Promise<Service> {
  const { otlpEndpoint: endpoint, traceRatio: ratio } = config;
  const stopTracing = endpoint ? await startTracing({ endpoint, ratio }) : async () => undefined;
  const database = await openDatabase(config, log, (owner) => loadCatalog(owner, config, log));
  const outbound = new OutboundClient({
    allow: config.egressAllow,
    userAgent: config.userAgent,
    onBlockedCall: (refusal) => log.warn(refusal, 'outbound call blocked'),
  });
  const jobs = new Jobs({
    databaseUrl: database.url,
    prepares: config.preparesStatements,
    report: createJobErrorReporter(log),
    graceSeconds: SHUTDOWN_GRACE_MS / 1_000,
  });
  const changes = new ChangeFeed({
    databaseUrl: config.databaseListenUrl ?? database.url,
    report: createListenErrorReporter(log),
  });
  const release = (): Promise<void> => jobs.stop().finally(() => outbound.close().finally(database.close));
  const servers: Server[] = [];
  try {
    let url = '';
    const baseUrl = (): string => config.publicUrl ?? url;
    const services = await composeServices(database.orm, config, { outbound, jobs, changes, baseUrl }, log);
    if (config.seedDemo) await seedDemo(services);
    const stopping = new AbortController();
    const { signal } = stopping;
    const app = await composeApp(services, log, baseUrl, { stopping: signal });
    const { corsOrigins, connectionsPerAddress } = config;
    const server = createHttpServer(app, { corsOrigins, connectionsPerAddress, stopping: signal });
    const metricsServer = createHttpServer(createMetricsApp(services.metrics));
    servers.push(server, metricsServer);
    // The priority must change after the start of the embedded database. Otherwise, the database would inherit it.
    if (config.jobs === 'pull') lowerPriority();
    if (config.jobs === 'pull') collectWholeHeapEvery(WORKER_GARBAGE_BYTES);
    await jobs.start(selectJobs(domainJobs(services), config.jobs));
    await listenOn(server, config, '');
    await listenOn(metricsServer, config.metrics, 'METRICS_');
    url = serverUrl(server, config.host); // The address must be read now, because a closed server has none.
    const metricsUrl = `${serverUrl(metricsServer, config.metrics.host)}/metrics`;
    const releases = [
      async () => services.metrics.close(),
      () => services.artifacts.csv.close(),
      () => services.tableServices.localFiles.close(),
      () => services.tableServices.duckdb.close(),
      () => services.tableServices.writer.close(),
      () => services.tableServices.smallWriter.close(),
      () => services.quality.inspection.duckdb.close(),
      stopTracing,
      release, // Without `release`, the embedded database would continue to run.
    ];
    return { url, metricsUrl, stop: (delay = 0) => shutDown({ servers, jobs, changes, stopping, releases }, delay) };
  } catch (error) {
    for (const server of servers) server.close();
    await release();
    throw error;
  }
}

function domainJobs(services: Services): readonly JobHandler[] {
  const jobs = domains.flatMap<DomainJob<Services>>(({ jobs = [] }: DomainManifest<Services>) => jobs);
  return bindJobs(jobs, services);
}
