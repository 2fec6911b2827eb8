import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { readConfig } from '../src/config.js';
import { joinDatabase } from '../src/database/open-database.js';
import { EntityTables } from '../src/kernel/entities/entity-tables.js';
import { createLogger } from '../src/kernel/logger.js';
import { ReaderFactory } from '../src/kernel/reading/reader-factory.js';
import { runTenantTransaction } from '../src/kernel/reading/tenant-transaction.js';
import { findWorkspaceId } from '../src/tenancy/authentication/find-workspace.js';
import { recountStorage } from '../src/tenancy/recount-storage.js';
import { Workspace } from '../src/tenancy/workspace.js';
import { systemCaller, writeAsCaller } from '../src/tenancy/workspace-transaction.js';

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
  const { orm, close } = await joinDatabase(readConfig(), createLogger('warn'), async () => undefined);
  const storageQuotaBytes = bytes === 'default' ? null : bytes === 'off' ? 0 : Number(bytes);
  const set = async (): Promise<void> => {
    const tables = new EntityTables(orm.getMetadata());
    const id = await findWorkspaceId(new ReaderFactory(tables, await orm.em.getConnection().getNativeClient()), slug);
    if (!id) throw new Error(`Workspace ${slug} does not exist.`);
    if (recount) await runTenantTransaction(orm.em, tables, id, ({ read }) => recountStorage(read, id));
    if (bytes === undefined) return;
    await writeAsCaller(orm.em, tables, systemCaller(id), 'set-storage-quota', async (tx) => {
      const workspace = await tx.em.findOneOrFail(Workspace, { id });
      tx.update(workspace, { storageQuotaBytes: storageQuotaBytes as never });
      tx.recordAudit('workspace.quota_set', workspace, { storageQuotaBytes });
    });
  };
  await set().finally(close);
  if (recount) console.log(`Recounted the storage usage of ${slug}.`);
  if (bytes !== undefined) console.log(`The storage quota of ${slug} is ${bytes}${Number(bytes) ? ' bytes' : ''}.`);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
