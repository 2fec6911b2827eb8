import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DEMO_WORKSPACE } from '../../../src/tenancy/workspaces/seed-demo.js';
import {
  deleteWorkspaces,
  restoreWorkspace,
  saveWorkspace,
  shareDatabase,
  versionOfCatalog,
} from '../database/saved-workspaces.js';
import { type RunningService, startRunningService, stopRunningService } from './running-service.js';

export interface KeptService extends RunningService {
  /** Version of the catalog when the service started. */
  readonly catalog: string;
  readonly files: ReadonlySet<string>;
}

/**
 * Services that the test files of this process use one after another, because starting a service takes half a second
 * of CPU time.
 */
export class KeptServices {
  readonly #idle: KeptService[] = [];

  constructor(private readonly env: Record<string, string> = {}) {}

  /** Returns a service with the rows and files of a new service. */
  async take(): Promise<KeptService> {
    const kept = this.#idle.pop();
    if (!kept) return startKept(this.env);
    await deleteWorkspaces(kept.database.url);
    await restoreWorkspace(kept.database.url, DEMO_WORKSPACE);
    return kept;
  }

  /**
   * Deletes the files that the test file has created. If the test file has changed the catalog, stops the service
   * instead.
   */
  async giveBack(used: KeptService): Promise<void> {
    if ((await versionOfCatalog(used.database.url)) !== used.catalog) return stopRunningService(used);
    const created = [...(await filesIn(used.dataDir))].filter((path) => !used.files.has(path));
    for (const path of created) await rm(join(used.dataDir, path), { recursive: true, force: true });
    this.#idle.push(used);
  }
}

async function startKept(env: Record<string, string>): Promise<KeptService> {
  const running = await startRunningService({ env });
  const { url } = running.database;
  await shareDatabase(url);
  await saveWorkspace(url, DEMO_WORKSPACE);
  return { ...running, catalog: await versionOfCatalog(url), files: await filesIn(running.dataDir) };
}

async function filesIn(folder: string): Promise<Set<string>> {
  return new Set(await readdir(folder, { recursive: true }));
}
