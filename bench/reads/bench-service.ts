import type { MikroORM } from '@mikro-orm/postgresql';
import type Koa from 'koa';
import { pino } from 'pino';
import { composeApp } from '../../src/compose-app.js';
import { composeServices, type Services } from '../../src/compose-services.js';
import { readConfig } from '../../src/config.js';
import { ChangeFeed } from '../../src/kernel/changes/change-feed.js';
import { Jobs } from '../../src/kernel/jobs/jobs.js';
import { OutboundClient } from '../../src/kernel/outbound/outbound-client.js';
import type { BenchDatabase } from '../support/bench-database.js';

/** The same for service and baseline, so that the links in their responses are equal. */
export const BASE_URL = 'http://127.0.0.1:4000';

const log = pino({ level: 'silent' });

export interface BenchService {
  readonly cached: Koa;
  /** Every request queries the database. */
  readonly uncached: Koa;
}

export function benchServices(orm: MikroORM, dataDir: string): Promise<Services> {
  const config = readConfig({ RATE_LIMITS: 'off', DATA_DIR: dataDir });
  // The benchmark never starts `jobs` and `changes`, so they need no URL.
  const jobs = new Jobs({ databaseUrl: '', report: () => undefined });
  const changes = new ChangeFeed({ databaseUrl: '', report: () => undefined });
  const outbound = new OutboundClient({ allow: [] });
  return composeServices(orm, config, { outbound, jobs, changes, baseUrl: () => BASE_URL }, log);
}

export async function composeBenchService({ orm, dataDir }: BenchDatabase): Promise<BenchService> {
  const parts = await benchServices(orm, dataDir);
  return {
    cached: await composeApp(parts, log, () => BASE_URL),
    uncached: await composeApp(parts, log, () => BASE_URL, { keepsReplies: false }),
  };
}
