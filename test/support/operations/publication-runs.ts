import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { FileStore } from '../../../src/kernel/files/file-store.js';
import { decodeId, encodeId } from '../../../src/kernel/ids.js';
import { runPublication } from '../../../src/tables/publications/run-publication.js';
import type { TableServices } from '../../../src/tables/table-context.js';
import { artifactPath, filesFolderOf } from '../artifacts/stored-files.js';
import { queryAsOwner } from '../database/owner-queries.js';
import type { TestService } from '../service/service.js';
import { publicationOf, withTableServices } from '../tables/table-services.js';

type ServiceChange = (services: TableServices) => Partial<TableServices>;

export interface PublicationRun {
  readonly attempt?: number;
  readonly signal?: AbortSignal;
  readonly change?: ServiceChange;
}

/** Runs the publication job of the tap in the test process, because the service runs no jobs. */
export function runPublicationOf(
  service: TestService,
  tapId: string,
  { attempt = 1, signal = new AbortController().signal, change = () => ({}) }: PublicationRun = {},
): Promise<void> {
  return withTableServices(service, async (services) =>
    runPublication({ ...services, ...change(services) }, await publicationOf(service, tapId), { attempt, signal }),
  );
}

function changedStore(store: FileStore, changes: Partial<FileStore>): FileStore {
  return new Proxy(store, {
    get: (_, name: keyof FileStore) => changes[name] ?? (store[name] as (...args: never[]) => unknown).bind(store),
  });
}

/** Runs `work` before each chunk that the publication reads, except the first. */
export function whileReading(work: () => Promise<unknown>): ServiceChange {
  return ({ store }) => ({
    store: changedStore(store, { open: async (key: string) => pausing(await store.open(key), work) }),
  });
}

export function failingToStore(code: string): ServiceChange {
  return ({ store }) => ({
    store: changedStore(store, { put: () => Promise.reject(Object.assign(new Error('no'), { code })) }),
  });
}

function pausing(stream: Readable, work: () => Promise<unknown>): Readable {
  let isFirst = true;
  const pause = async (chunk: Buffer): Promise<Buffer> => {
    if (!isFirst) await work();
    isFirst = false;
    return chunk;
  };
  return stream.map(pause, { concurrency: 1 });
}

export async function uploadedFileOf(service: TestService, tapId: string): Promise<string> {
  const query = 'select artifact_id, tenant_id from publication where tap_id = $1';
  const [row] = await queryAsOwner(service, query, [decodeId(tapId)]);
  return artifactPath(filesFolderOf(service), { id: encodeId(row?.artifact_id), tenantId: encodeId(row?.tenant_id) });
}

/** Omits the folders of DuckDB and of `LocalFileCache`. */
export async function temporaryFilesOf(service: TestService): Promise<string[]> {
  const names = await readdir(join(service.dataDir, 'landing'));
  return names.filter((name) => !/^(read|spilled)-/.test(name));
}
