import type { EntityManager } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import type { Config } from './config.js';
import type { ReportError } from './http/report-error.js';
import type { ConnectionServices } from './instances/credentials/connection-context.js';
import { CredentialTester } from './instances/credentials/credential-tester.js';
import { SourceRateLimiter } from './instances/credentials/source-rate-limiter.js';
import { VENDOR_REQUESTS_PER_MINUTE, VendorRequestLimiter } from './instances/credentials/vendor-request-limiter.js';
import type { ChangeFeed } from './kernel/changes/change-feed.js';
import type { EntityTables } from './kernel/entities/entity-tables.js';
import type { Jobs } from './kernel/jobs/jobs.js';
import type { OutboundClient } from './kernel/outbound/outbound-client.js';
import type { ReaderFactory } from './kernel/reading/reader-factory.js';
import type { SecretStore } from './secrets/secret-store.js';
import type { SendFor } from './sources/source-request.js';

export interface ProcessServices {
  readonly outbound: OutboundClient;
  readonly jobs: Jobs;
  readonly changes: ChangeFeed;
  /** Returns the base URL of the service, which is correct as soon as the service listens. */
  readonly baseUrl: () => string;
}

interface ConnectionDependencies extends ProcessServices, Pick<Config, 'rateLimits'> {
  readonly em: EntityManager;
  readonly tables: EntityTables;
  readonly readers: ReaderFactory;
  readonly pool: Pool;
  readonly secrets: SecretStore;
  readonly report: ReportError;
}

export function composeConnections(inside: ConnectionDependencies): ConnectionServices {
  const { em, tables, readers, pool, secrets, report, outbound, jobs, baseUrl, rateLimits } = inside;
  const sendFor: SendFor = (requestId) => (url, request) => outbound.request(url, { ...request, requestId });
  const mostRequests = rateLimits === 'off' ? 0 : (rateLimits.vendor ?? VENDOR_REQUESTS_PER_MINUTE);
  const requestLimit = new VendorRequestLimiter(pool, mostRequests);
  const sourceLimits = new SourceRateLimiter(pool);
  const limits = { requestLimit, sourceLimits };
  const tests = new CredentialTester({ em, tables, readers, secrets, sendFor, jobs, ...limits, report });
  const mayCall = (url: URL): boolean => outbound.isAllowed(url);
  return { secrets, sendFor, sourceLimits, credentialTester: tests, requestLimit, mayCall, baseUrl };
}
