import type { MikroORM } from '@mikro-orm/postgresql';
import { composeArtifacts } from './compose-artifacts.js';
import { composeConnections, type ProcessServices } from './compose-connections.js';
import { composeIngest } from './compose-ingest.js';
import { composeQuality } from './compose-quality.js';
import { composeSyncs } from './compose-syncs.js';
import { composeTables } from './compose-tables.js';
import type { Config } from './config.js';
import { createSecretStore } from './create-secret-store.js';
import { type ConsoleSignIn, consoleSignInOf } from './http/console/console-sign-in.js';
import { createMetrics, type Metrics } from './http/metrics.js';
import { createErrorReporter } from './http/report-error.js';
import type { AdmissionServices } from './http/request-admission.js';
import { RequestRateLimiter } from './http/request-rate-limiter.js';
import { withTokenRevocation } from './ingest/revoke-tap-tokens.js';
import type { ChangeFeed } from './kernel/changes/change-feed.js';
import { EntityTables } from './kernel/entities/entity-tables.js';
import type { Logger } from './kernel/logger.js';
import { ReaderFactory } from './kernel/reading/reader-factory.js';
import type { QualityServices } from './quality/runs/quality-services.js';
import { rethrowDataDirError } from './rethrow-data-dir-error.js';
import { readStepQueue } from './syncs/runs/read-step-queue.js';
import type { SyncServices } from './syncs/runs/sync-services.js';
import { Authenticator } from './tenancy/authentication/authenticator.js';
import { createLocalIssuer, issueLocalToken } from './tenancy/authentication/local-issuer.js';
import { createProviderKeys } from './tenancy/authentication/provider-keys.js';
import { logInvitations } from './tenancy/invitation-delivery.js';
import { StorageQuota } from './tenancy/storage-quota.js';

/** All services use the same database. */
export interface Services extends AdmissionServices {
  readonly orm: MikroORM;
  readonly quality: QualityServices;
  readonly syncs: SyncServices;
  readonly metrics: Metrics;
  readonly changes: ChangeFeed;
  readonly corsOrigins: readonly string[];
  readonly consoleSignIn: ConsoleSignIn;
  readonly issueToken: (email: string) => Promise<string>;
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
  const dependencies = { em, tables, jobs: outside.jobs, store: artifacts.store, storage, report };
  const unhookedTables = await composeTables(config, dependencies);
  const { quality, hooks } = composeQuality(unhookedTables);
  const tableServices = { ...unhookedTables, hooks: withTokenRevocation(hooks) };
  const { sendFor, sourceLimits } = connections;
  const { startsInitialSync } = config;
  const { syncs, taps } = composeSyncs(tableServices, { readers, secrets, sendFor, sourceLimits, startsInitialSync });
  const ingest = composeIngest(config, { em, tables, readers, secrets, storage, jobs: outside.jobs });
  const invitations = logInvitations(log);
  const access = { readers, authentication, limits, invitations, storage, proxyHops };
  const metrics = createMetrics();
  metrics.watchSyncs(() => readStepQueue(pool));
  const http = {
    ...{ metrics, corsOrigins: config.corsOrigins, changes: outside.changes },
    consoleSignIn: consoleSignInOf(config),
    issueToken: (email: string) => issueLocalToken(dataDir, email),
  };
  return { orm, em, tables, ...access, ...http, connections, artifacts, tableServices, quality, syncs, taps, ingest };
}
