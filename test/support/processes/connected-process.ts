import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aDatabase, CLONED_DATABASE_ENV } from '../database/database.js';
import { clientFor } from '../service/callers.js';
import type { Client } from '../service/service.js';
import { aCatalogFolder, fakeVendorDefinitions } from '../vendors/fake-vendor-definitions.js';
import { aFakeVendorServer, type FakeVendorServer } from '../vendors/fake-vendor-server.js';
import { addressOf, aProcess, type TestProcess } from './test-process.js';

const OWNER = 'owner@demo.test';

/** The service as a separate process, whose catalog refers to a fake vendor. */
export interface ConnectedProcess {
  readonly service: { url: string; readonly databaseUrl: string; readonly dataDir: string };
  readonly vendor: FakeVendorServer;
  readonly owner: Client;
  /** Starts a second process on the same database. Returns a client of the second process for the same user. */
  secondProcess(): Promise<Client>;
  replace(): Promise<void>;
  close(): Promise<void>;
}

export async function aConnectedProcess(env: Record<string, string> = {}): Promise<ConnectedProcess> {
  const [database, vendor, dataDir] = await Promise.all([
    aDatabase(),
    aFakeVendorServer(),
    mkdtemp(join(tmpdir(), 'taproot-connected-')),
  ]);
  const catalog = await aCatalogFolder(fakeVendorDefinitions(vendor.origin));
  const settings = {
    ...{ DATABASE_URL: database.url, DATA_DIR: dataDir, CATALOG_DIR: catalog.folder, EGRESS_ALLOW: '127.0.0.0/8' },
    ...{ RATE_LIMITS: 'off', INITIAL_SYNC: 'off', LOG_LEVEL: 'error', ...CLONED_DATABASE_ENV, ...env },
  };
  const service = { url: '', databaseUrl: database.url, dataDir };
  let running: TestProcess;
  const others: TestProcess[] = [];
  const start = async (): Promise<void> => {
    running = aProcess(settings);
    service.url = await addressOf(running);
  };
  const end = async (one: TestProcess): Promise<void> => {
    one.child.kill('SIGKILL');
    await one.ends();
  };
  await start();
  return {
    ...{ service, vendor, owner: clientFor(service, OWNER) },
    replace: () => end(running).then(start),
    secondProcess: async () => {
      const other = aProcess(settings);
      others.push(other);
      return clientFor({ ...service, url: await addressOf(other) }, OWNER);
    },
    close: async () => {
      await Promise.all([running, ...others].map(end));
      await Promise.all([vendor.close(), catalog.remove(), database.drop(), rm(dataDir, { recursive: true })]);
    },
  };
}
