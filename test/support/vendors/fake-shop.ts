import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeVendor } from '../../../examples/fake-vendor/fake-vendor.js';
import { PROJECT_ROOT } from '../../../src/kernel/project-root.js';

const DEFINITION = join(PROJECT_ROOT, 'examples/fake-vendor/catalog/fake-shop.yaml');
const ORIGIN = 'http://127.0.0.1:4010';

export interface FakeShop {
  readonly vendor: FakeVendor;
  /** Settings of a service whose catalog contains the vendor. */
  readonly env: Readonly<Record<'CATALOG_DIR' | 'EGRESS_ALLOW', string>>;
  close(): Promise<void>;
}

/** The vendor of the examples, on a free port. */
export async function aFakeShop(options: Parameters<typeof FakeVendor.start>[0] = {}): Promise<FakeShop> {
  const vendor = await FakeVendor.start(options);
  const folder = await mkdtemp(join(tmpdir(), 'taproot-shop-'));
  const definition = (await readFile(DEFINITION, 'utf8')).replaceAll(ORIGIN, vendor.origin);
  await writeFile(join(folder, 'fake-shop.yaml'), definition);
  return {
    vendor,
    env: { CATALOG_DIR: folder, EGRESS_ALLOW: '127.0.0.0/8' },
    close: async () => {
      await vendor.stop();
      await rm(folder, { recursive: true });
    },
  };
}
