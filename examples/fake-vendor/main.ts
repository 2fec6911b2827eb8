import { parseArgs } from 'node:util';
import { FakeVendor } from './fake-vendor.js';

const { values } = parseArgs({
  options: { port: { type: 'string', default: '4010' }, orders: { type: 'string', default: '250' } },
});
try {
  const vendor = await FakeVendor.start({ port: Number(values.port), orders: Number(values.orders) });
  console.log(`The fake vendor is at ${vendor.origin}. The API key is demo-key.`);
} catch (error) {
  console.error(`The fake vendor cannot start: ${(error as Error).message}`);
  process.exitCode = 1;
}
