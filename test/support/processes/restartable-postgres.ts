import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../../src/database/embedded-postgres.js';
import { findOsAccount, runAs } from '../../../src/database/unprivileged-user.js';

/** Uses production settings. `restart` skips the checkpoint, as after a crash. */
export async function aRestartablePostgres() {
  const folder = await mkdtemp(join(tmpdir(), 'taproot-postgres-'));
  const { url, stop } = await startEmbeddedPostgres({ folder });
  return {
    url,
    async restart(): Promise<void> {
      const programs = await import(`@embedded-postgres/${process.platform}-${process.arch}`);
      const account = await findOsAccount(folder, programs.postgres);
      const how = ['restart', '-m', 'immediate', '-w', '-t', '120', '-D', 'data', '-l', 'postgres.log'];
      const { ok, stderr } = await runAs(account, [programs.pg_ctl, ...how], folder);
      if (!ok) throw new Error(stderr);
    },
    async drop(): Promise<void> {
      await stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
