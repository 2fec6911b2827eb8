import { tmpdir } from 'node:os';
import 'reflect-metadata';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { readAllDefinitions } from '../src/catalog/definitions/shipped-definitions.js';
import { readConfig } from '../src/config.js';
import { OutboundClient } from '../src/kernel/outbound/outbound-client.js';
import { ConnectionConfigError } from '../src/sources/connection-config-error.js';
import type { RequestTrace } from '../src/syncs/reading/request-trace.js';
import { tryTap } from '../src/syncs/reading/try-tap.js';
import { TapReadError } from '../src/syncs/tap-read-error.js';
import { type TrialConfig, trialConnection } from './trial-connection.js';

const USAGE = 'Usage: npm run tap:try -- VENDOR TAP --config FILE [--connector KEY] [--object NAME] [--records N]';

const given = await readArguments().catch((error: Error) => {
  console.error(`${error.message}\n${USAGE}`);
  process.exit(2);
});

const { catalogDir, egressAllow, userAgent } = readConfig();
const vendors = await readAllDefinitions({ loadsShippedCatalog: true, catalogDir });
const outbound = new OutboundClient({ allow: egressAllow, ...(userAgent && { userAgent }) });
try {
  const call = trialConnection(vendors, given, given.config);
  const send: typeof outbound.request = (url, request) => outbound.request(url, request);
  const trial = await tryTap(
    { call: { ...call, send }, onRequest: printRequest, workFolder: tmpdir() },
    given.tapName,
    AbortSignal.timeout(300_000),
    given.objectName,
  );
  console.log(`\n${trial.recordCount} records on the first page`);
  for (const record of trial.records.slice(0, given.records)) console.log(record);
  console.log('\ncolumns');
  for (const { name, type } of trial.columns) console.log(`  ${name.padEnd(32)} ${type}`);
  console.log(`\nnext page: ${trial.nextRequest ?? 'none'}`);
} catch (error) {
  const isExpected =
    error instanceof TapReadError || error instanceof ConnectionConfigError || error instanceof RangeError;
  if (!isExpected) throw error;
  console.error(error instanceof TapReadError ? `${error.errorClass}: ${error.message}` : error.message);
  process.exitCode = 1;
} finally {
  await outbound.close();
}

async function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      config: { type: 'string' },
      connector: { type: 'string' },
      object: { type: 'string' },
      records: { type: 'string', default: '10' },
    },
  });
  const [vendorSlug, tapName, ...more] = positionals;
  if (!vendorSlug || !tapName || !values.config || more.length > 0)
    throw new Error('Exactly one VENDOR and one TAP are required, and --config is required.');
  if (!/^\d{1,9}$/.test(values.records)) throw new Error('--records must be a whole number.');
  return {
    ...{ vendorSlug, tapName, connectorKey: values.connector, objectName: values.object },
    records: Number(values.records),
    config: await readTrialConfig(values.config),
  };
}

async function readTrialConfig(file: string): Promise<TrialConfig> {
  try {
    return (parse(await readFile(file, 'utf8')) ?? {}) as TrialConfig;
  } catch (error) {
    throw new Error(`Cannot read ${file}: ${(error as Error).message}`);
  }
}

function printRequest({ method, url, status, durationMs, bytes, attempt, errorClass }: RequestTrace): void {
  const result = [status ?? 'no response', `${bytes} bytes`, `${durationMs} ms`, errorClass].filter(Boolean).join(', ');
  console.log(`${method} ${url} -> ${result}${attempt > 1 ? ` (attempt ${attempt})` : ''}`);
}
