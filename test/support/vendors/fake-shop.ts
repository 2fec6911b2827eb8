import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeVendor } from '../../../examples/fake-vendor/fake-vendor.js';
import { writeCatalog } from '../../../examples/fake-vendor/write-catalog.js';

const UNLIMITED = 10_000;

export interface FakeShop {
  readonly vendor: FakeVendor;
  /** Settings of a service whose catalog contains the vendor. */
  readonly env: Readonly<Record<'CATALOG_DIR' | 'EGRESS_ALLOW', string>>;
  close(): Promise<void>;
}

/** Starts the vendor of the examples on a free port, without its rate limit. */
export async function aFakeShop(options: Parameters<typeof FakeVendor.start>[0] = {}): Promise<FakeShop> {
  const vendor = await FakeVendor.start({ requestsPerSecond: UNLIMITED, ...options });
  const folder = await mkdtemp(join(tmpdir(), 'taproot-shop-'));
  await writeCatalog(folder, vendor.origin);
  const file = join(folder, 'fake-shop.yaml');
  const definition = await readFile(file, 'utf8');
  await writeFile(file, definition.replace(/requestsPerSecond: \d+/, `requestsPerSecond: ${UNLIMITED}`));
  return {
    vendor,
    env: { CATALOG_DIR: folder, EGRESS_ALLOW: '127.0.0.0/8' },
    close: async () => {
      await vendor.stop();
      await rm(folder, { recursive: true });
    },
  };
}
