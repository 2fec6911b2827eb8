import 'reflect-metadata';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { VendorDefinition } from '../src/catalog/definitions/definition.js';
import { readConfig } from '../src/config.js';
import { startService } from '../src/service.js';
import { issueLocalToken } from '../src/tenancy/authentication/local-issuer.js';
import { DEMO_WORKSPACE, demoEmail } from '../src/tenancy/workspaces/seed-demo.js';
import { bearerVendorDefinition, FULL_TAP } from './support/bearer-vendor-definition.js';
import { formatTarget } from './support/format-target.js';
import { type LoadFigures, measureLoad } from './support/measure-load.js';

const HANGING_TESTS = 200;
const PACE = { warmUp: 1, seconds: 4, rounds: 3 };

/** Exceeds the duration of a measurement, so that no credential test times out during the measurement. */
const TIMEOUT_SECONDS = 30;

/** Maximum ratio of the p99 latency with hanging vendors to the p99 latency without them. */
const MAX_SLOWDOWN = 2;

const folder = await mkdtemp(join(tmpdir(), 'taproot-bench-'));
const vendor = createServer(() => undefined).listen(0, '127.0.0.1'); // Never responds.
await once(vendor, 'listening');
const origin = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`;
await writeFile(join(folder, 'hanging.yaml'), JSON.stringify(definition(origin)));
const settings = { PORT: '0', DATA_DIR: folder, CATALOG_DIR: folder, EGRESS_ALLOW: '127.0.0.0/8', RATE_LIMITS: 'off' };
const service = await startService(readConfig({ ...settings, JOBS: 'off' }), pino({ level: 'silent' }));
try {
  const headers = {
    authorization: `Bearer ${await issueLocalToken(folder, demoEmail('owner'))}`,
    'x-tenant': DEMO_WORKSPACE,
    'content-type': 'application/json',
  };
  const ids = await connect(headers);
  const before = await requests(headers);
  const hanging = ids.map((id) => post('/api/connectors/validate', { credentialMetadataId: id }, headers));
  const whileHanging = await requests(headers);
  const results = (await Promise.all(hanging)) as { status: string }[];
  if (results.some(({ status }) => status !== 'inconclusive')) throw new Error('a vendor responded unexpectedly');
  report(before, whileHanging);
} finally {
  vendor.closeAllConnections();
  vendor.close();
  await service.stop();
  await rm(folder, { recursive: true, force: true });
}

async function requests(headers: Record<string, string>): Promise<LoadFigures> {
  const { me } = await measureLoad({ me: { name: 'me', url: `${service.url}/api/users/me`, headers } }, PACE);
  return me;
}

async function connect(headers: Record<string, string>): Promise<string[]> {
  const groupings = await fetch(`${service.url}/api/vendors/platform-vendor-groupings/hanging`);
  const { data } = (await groupings.json()) as { data: [Record<string, never>] };
  const [{ id: groupingId, connectorId, supportedAuthStrategies }] = data;
  const [{ id: authenticationStrategyId }] = supportedAuthStrategies as unknown as [{ id: string }];
  const input = { connectorId, groupingId, authenticationStrategyId, authenticationConfig: { token: 'any' } };
  const ids: string[] = [];
  while (ids.length < HANGING_TESTS) {
    const connection = (await post('/api/connectors', input, headers)) as { credentialMetadataId: string };
    ids.push(connection.credentialMetadataId);
  }
  return ids;
}

async function post(path: string, body: object, headers: Record<string, string>): Promise<unknown> {
  const reply = await fetch(service.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const { data, error } = (await reply.json()) as { data?: unknown; error?: string };
  if (error) throw new Error(error);
  return data;
}

function report(before: LoadFigures, whileHanging: LoadFigures): void {
  const line = (label: string, { perSecond, p50, p99 }: LoadFigures): string =>
    `${label.padEnd(40)}${perSecond.toFixed(0).padStart(8)} req/s   p50 ${p50.toFixed(1)} ms   p99 ${p99.toFixed(1)} ms`;
  console.log(line('GET /api/users/me', before));
  console.log(line(`  while ${HANGING_TESTS} vendors hang`, whileHanging));
  const ratio = whileHanging.p99 / before.p99;
  console.log(
    formatTarget(
      ratio < MAX_SLOWDOWN,
      `p99 with hanging vendors is less than ${MAX_SLOWDOWN} times the p99 without them (${ratio.toFixed(2)})`,
    ),
  );
}

function definition(origin: string): VendorDefinition {
  return bearerVendorDefinition({
    slug: 'hanging',
    name: 'Hanging',
    origin,
    timeoutSeconds: TIMEOUT_SECONDS,
    taps: [
      {
        ...FULL_TAP,
        name: 'records',
        enabledByDefault: true,
        responseExtraction: { primaryKey: 'id', responseFormat: 'json' },
        schema: { type: 'object', properties: { id: { type: 'string' } } },
        transportOptions: [
          {
            apiType: 'rest',
            priority: 1,
            pagination: { type: 'none' },
            restConfig: { endpoint: '/records', method: 'GET' },
          },
        ],
      },
    ],
  });
}
