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

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    config: { type: 'string' },
    connector: { type: 'string' },
    object: { type: 'string' },
    records: { type: 'string', default: '10' },
  },
});
const [vendorSlug, tapName] = positionals;
if (!vendorSlug || !tapName || !values.config) {
  console.error(USAGE);
  process.exit(2);
}

const { catalogDir, egressAllow, userAgent } = readConfig();
const vendors = await readAllDefinitions({ loadsShippedCatalog: true, catalogDir });
const outbound = new OutboundClient({ allow: egressAllow, ...(userAgent && { userAgent }) });
try {
  const config = parse(await readFile(values.config, 'utf8')) as TrialConfig;
  const call = trialConnection(vendors, { vendorSlug, tapName, connectorKey: values.connector }, config);
  const send: typeof outbound.request = (url, request) => outbound.request(url, request);
  const trial = await tryTap(
    { call: { ...call, send }, onRequest: printRequest, workFolder: tmpdir() },
    tapName,
    AbortSignal.timeout(300_000),
    values.object,
  );
  console.log(`\n${trial.recordCount} records on the first page`);
  for (const record of trial.records.slice(0, Number(values.records))) console.log(record);
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

function printRequest({ method, url, status, durationMs, bytes, attempt, errorClass }: RequestTrace): void {
  const result = [status ?? 'no response', `${bytes} bytes`, `${durationMs} ms`, errorClass].filter(Boolean).join(', ');
  console.log(`${method} ${url} -> ${result}${attempt > 1 ? ` (attempt ${attempt})` : ''}`);
}
