import { join } from 'node:path';
import { FakeVendor } from '../examples/fake-vendor/fake-vendor.js';
import { PROJECT_ROOT } from '../src/kernel/project-root.js';

/** The definition of the fake vendor contains this port. */
const PORT = 4010;

const vendor = await FakeVendor.start({ port: PORT }).catch((error: Error) => {
  console.error(`The fake vendor cannot start: ${error.message}`);
  process.exit(1);
});
console.log(`The fake vendor is at ${vendor.origin}. Its API key is demo-key.`);
process.env.CATALOG_DIR ??= join(PROJECT_ROOT, 'examples/fake-vendor/catalog');
process.env.EGRESS_ALLOW ??= '127.0.0.1/32';
await import('../src/main.js');
