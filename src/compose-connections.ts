import type { EntityManager } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import type { Config } from './config.js';
import type { ConnectionParts } from './instances/connection-context.js';
import { CredentialTests } from './instances/credential-tests.js';
import { SourceLimits } from './instances/source-limits.js';
import { VENDOR_REQUESTS, VendorRequestLimit } from './instances/vendor-request-limit.js';
import type { Jobs } from './kernel/jobs.js';
import type { Outbound } from './kernel/outbound.js';
import type { Readers } from './kernel/readers.js';
import type { Tables } from './kernel/tables.js';
import type { ReportError } from './report-error.js';
import type { SecretStore } from './secrets/secret-store.js';
import type { SendFor } from './sources/source-request.js';

/** What a process has one of. */
export interface Outside {
  readonly outbound: Outbound;
  readonly jobs: Jobs;
  /** Base of the service's own addresses, once it listens. */
  readonly baseUrl: () => string;
}

interface Inside extends Outside, Pick<Config, 'rateLimits'> {
  readonly em: EntityManager;
  readonly tables: Tables;
  readonly readers: Readers;
  readonly pool: Pool;
  readonly secrets: SecretStore;
  readonly report: ReportError;
}

/** What connections need beyond a request, once for a process. */
export function composeConnections(inside: Inside): ConnectionParts {
  const { em, tables, readers, pool, secrets, report, outbound, jobs, baseUrl, rateLimits } = inside;
  const sendFor: SendFor = (requestId) => (url, request) => outbound.request(url, { ...request, requestId });
  const mostRequests = rateLimits === 'off' ? 0 : (rateLimits.vendor ?? VENDOR_REQUESTS);
  const requestLimit = new VendorRequestLimit(pool, mostRequests);
  const sourceLimits = new SourceLimits(pool);
  const limits = { requestLimit, sourceLimits };
  const tests = new CredentialTests({ em, tables, readers, secrets, sendFor, jobs, ...limits, report });
  const mayCall = (url: URL): boolean => outbound.permits(url);
  return { secrets, sendFor, tests, requestLimit, mayCall, baseUrl };
}
