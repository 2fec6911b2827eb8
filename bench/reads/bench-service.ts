import { tmpdir } from 'node:os';
import type { MikroORM } from '@mikro-orm/postgresql';
import { print } from 'graphql';
import type Koa from 'koa';
import { pino } from 'pino';
import { readOperations } from '../../rest-facade/operations.js';
import { composeApp } from '../../src/compose-app.js';
import { composeServices, type Services } from '../../src/compose-services.js';
import { readConfig } from '../../src/config.js';
import { createSchema } from '../../src/graphql-schema.js';
import { Jobs } from '../../src/kernel/jobs/jobs.js';
import { OutboundClient } from '../../src/kernel/outbound/outbound-client.js';

/** Base URL of links in responses, equal for service and baseline so that their responses are equal. */
export const BASE_URL = 'http://127.0.0.1:4000';

const log = pino({ level: 'silent' });

export interface BenchService {
  /** The default configuration, with cached responses. */
  readonly cached: Koa;
  /** Without a cache, so that every request queries the database. */
  readonly uncached: Koa;
  /** The operation of a REST route as the body of a POST to `/graphql`. */
  question(operation: string, variables: object): string;
}

/** Without rate limits. */
export function benchServices(orm: MikroORM): Promise<Services> {
  const config = readConfig({ RATE_LIMITS: 'off', DATA_DIR: tmpdir() });
  const jobs = new Jobs({ databaseUrl: '', report: () => undefined }); // never started
  return composeServices(
    orm,
    config,
    { outbound: new OutboundClient({ allow: [] }), jobs, baseUrl: () => BASE_URL },
    log,
  );
}

/** The service as composed in production, with and without the cache. */
export async function composeBenchService(orm: MikroORM): Promise<BenchService> {
  const parts = await benchServices(orm);
  const operations = readOperations(await createSchema(orm.getMetadata()));
  return {
    cached: await composeApp(parts, log, () => BASE_URL),
    uncached: await composeApp(parts, log, () => BASE_URL, { keepsReplies: false }),
    question: (name, variables) => {
      const operation = operations.get(name);
      if (!operation) throw new Error(`operation ${name} does not exist`);
      return JSON.stringify({ query: print(operation.document), variables });
    },
  };
}
