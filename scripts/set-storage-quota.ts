import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { readConfig } from '../src/config.js';
import { joinDatabase } from '../src/database.js';
import { Readers } from '../src/kernel/readers.js';
import { Tables } from '../src/kernel/tables.js';
import { inTenant } from '../src/kernel/transaction.js';
import { createLog } from '../src/log.js';
import { findWorkspace } from '../src/tenancy/find-workspace.js';
import { recountStorage } from '../src/tenancy/recount-storage.js';
import { Workspace } from '../src/tenancy/workspace.js';
import { systemCaller, writeAs } from '../src/tenancy/workspace-transaction.js';

const { values } = parseArgs({
  options: { slug: { type: 'string' }, bytes: { type: 'string' }, recount: { type: 'boolean' } },
});
const { slug, bytes, recount } = values;
if (!slug || (bytes === undefined ? !recount : !/^(off|default|[1-9]\d{0,14})$/.test(bytes))) {
  console.error('Usage: npm run workspace:quota -- --slug acme --bytes 1099511627776');
  console.error('       npm run workspace:quota -- --slug acme --recount');
  console.error('--bytes is a number of up to 15 digits, "off" for no limit, or "default" for STORAGE_QUOTA_BYTES.');
  process.exit(1);
}
try {
  const { orm, close } = await joinDatabase(readConfig(), createLog('warn'), async () => undefined);
  const storageQuotaBytes = bytes === 'default' ? null : bytes === 'off' ? 0 : Number(bytes);
  const set = async (): Promise<void> => {
    const tables = new Tables(orm.getMetadata());
    const id = await findWorkspace(new Readers(tables, await orm.em.getConnection().getNativeClient()), slug);
    if (!id) throw new Error(`Workspace ${slug} does not exist.`);
    if (recount) await inTenant(orm.em, tables, id, ({ read }) => recountStorage(read, id));
    if (bytes === undefined) return;
    await writeAs(orm.em, tables, systemCaller(id), 'set-storage-quota', async (tx) => {
      const workspace = await tx.em.findOneOrFail(Workspace, { id });
      tx.change(workspace, { storageQuotaBytes: storageQuotaBytes as never });
      tx.record('workspace.quota_set', workspace, { storageQuotaBytes });
    });
  };
  await set().finally(close);
  if (recount) console.log(`Recounted the storage usage of ${slug}.`);
  if (bytes !== undefined) console.log(`The storage quota of ${slug} is ${bytes}${Number(bytes) ? ' bytes' : ''}.`);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
