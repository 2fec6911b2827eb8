import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { artifactKey } from '../../../../src/artifacts/artifact-key.js';
import { abortUpload } from '../../../../src/artifacts/artifact-upload.js';
import { type ArtifactCleanupServices, cleanUpArtifact } from '../../../../src/artifacts/clean-up-artifact.js';
import { createOrm } from '../../../../src/database/orm.js';
import { EntityTables } from '../../../../src/kernel/entities/entity-tables.js';
import { FolderStore } from '../../../../src/kernel/files/folder-store.js';
import { decodeId, encodeId, newId } from '../../../../src/kernel/ids.js';
import { Jobs } from '../../../../src/kernel/jobs/jobs.js';
import { anArtifact } from '../../../support/artifacts/artifact-requests.js';
import { rowsFor } from '../../../support/artifacts/hostile-files.js';
import { artifactPath, filesFolderOf } from '../../../support/artifacts/stored-files.js';
import { pausingText, streamUpload } from '../../../support/artifacts/streamed-uploads.js';
import { queryAsOwner } from '../../../support/database/owner-queries.js';
import { loginTo } from '../../../support/database/runtime-role.js';
import { waitUntil } from '../../../support/database/test-jobs.js';
import { aService } from '../../../support/service/service.js';
import { contextServicesOf } from '../../../support/service/workspace-context.js';

const NOW = new Date('2027-03-01T12:00:00Z');
const inSeconds = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1_000);
const DAY = 86_400;

const service = aService();
const editor = service.as('editor');

let services: ArtifactCleanupServices;
let close: () => Promise<void>;

beforeAll(async () => {
  const { url } = loginTo(service);
  const orm = createOrm(url);
  const jobs = new Jobs({ databaseUrl: url, report: () => undefined });
  await jobs.start([]);
  const store = await FolderStore.open(filesFolderOf(service));
  services = { em: orm.em, tables: new EntityTables(orm.getMetadata()), store, jobs };
  close = () => jobs.stop().finally(() => orm.close());
});

afterAll(() => close());

interface Ids {
  readonly tenantId: string;
  readonly id: string;
}

async function aFile(columns: Record<string, unknown> = {}): Promise<Ids> {
  const { id } = await anArtifact(editor);
  const names = Object.keys(columns);
  const changes = names.map((name, at) => `${name} = $${at + 2}`);
  const [row] = await queryAsOwner(
    service,
    `update artifact set ${['id = id', ...changes]} where id = $1 returning tenant_id`,
    [decodeId(id), ...names.map((name) => columns[name])],
  );
  return { id, tenantId: encodeId(row?.tenant_id) };
}

const cleanUp = ({ id, tenantId }: Ids, now = NOW): Promise<void> =>
  cleanUpArtifact(services, { tenantId, artifactId: id }, now);

async function left(ids: Ids) {
  const [row] = await queryAsOwner(service, 'select * from artifact where id = $1', [decodeId(ids.id)]);
  const hasBytes = await stat(artifactPath(filesFolderOf(service), ids)).then(
    () => true,
    () => false,
  );
  return { row, hasBytes };
}

async function nextCleanupSeconds({ id }: Ids): Promise<number> {
  const [job] = await queryAsOwner(
    service,
    `select extract(epoch from start_after - now())::int as seconds from taproot_jobs.job
     where data->>'artifactId' = $1 order by created_on desc limit 1`,
    [id],
  );
  return job?.seconds;
}

const write = ({ tenantId, id }: Ids): Promise<void> =>
  services.store.put(artifactKey(tenantId, id), Readable.from([Buffer.from('late')]));

/** Sends two thirds of a file. `end` sends the rest. */
async function anUploadInProgress() {
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
  const reply = streamUpload(editor, pausingText(rowsFor(600_000), 400_000, mayEnd));
  const pending = () =>
    queryAsOwner(service, `select * from artifact where upload_status = 'pending' and file_size = 0`);
  await waitUntil(async () => (await pending()).length === 1);
  const [row] = await pending();
  return { file: { id: encodeId(row?.id), tenantId: encodeId(row?.tenant_id) }, reply, end };
}

describe('an upload whose process may be lost', () => {
  const aPending = (uploading_until: Date) => aFile({ upload_status: 'pending', uploading_until });

  it('is kept while its lease is valid, and rechecked at its end', async () => {
    const file = await aPending(inSeconds(40));
    await cleanUp(file);
    expect(await left(file)).toMatchObject({ row: { upload_status: 'pending' }, hasBytes: true });
    expect(await nextCleanupSeconds(file)).toBeGreaterThanOrEqual(30);
    expect(await nextCleanupSeconds(file)).toBeLessThanOrEqual(40);
  });

  it('counts as failed when its lease expires; its bytes are deleted immediately, its row at the recheck', async () => {
    const file = await aPending(inSeconds(-1));
    await cleanUp(file);
    expect(await left(file)).toMatchObject({ row: { upload_status: 'failed' }, hasBytes: false });
    expect(await nextCleanupSeconds(file)).toBeGreaterThan(7_000);
    await cleanUp(file, inSeconds(7_200));
    expect(await left(file)).toEqual({ row: undefined, hasBytes: false });
  });

  it('leaves nothing, even if its suspended process writes bytes later', async () => {
    const file = await aPending(inSeconds(-1));
    await cleanUp(file);
    await write(file);
    await cleanUp(file, inSeconds(7_200));
    expect(await left(file)).toEqual({ row: undefined, hasBytes: false });
  });

  it('is removed if the file was deleted during the upload', async () => {
    const file = await aFile({ upload_status: 'pending', uploading_until: inSeconds(-1), deleted_at: inSeconds(-2) });
    await cleanUp(file);
    await cleanUp(file, inSeconds(7_200));
    expect(await left(file)).toEqual({ row: undefined, hasBytes: false });
  });

  it('leaves no bytes without a row', async () => {
    const file = { tenantId: (await aFile()).tenantId, id: newId() };
    await write(file);
    await cleanUp(file);
    expect(await left(file)).toEqual({ row: undefined, hasBytes: false });
  });

  it('can be cleaned up repeatedly', async () => {
    const file = await aPending(inSeconds(-1));
    await Promise.all([cleanUp(file), cleanUp(file), cleanUp(file)]);
    expect(await left(file)).toMatchObject({ row: { upload_status: 'failed' }, hasBytes: false });
    await write(file);
    await Promise.all([1, 2, 3].map(() => cleanUp(file, inSeconds(7_200))));
    expect(await left(file)).toEqual({ row: undefined, hasBytes: false });
  });

  it.each([
    ['once', [0]],
    ['twice', [0, 7_200]],
  ])('is rejected if its process resumes after a cleanup, run %s, and leaves nothing', async (_, cleanups) => {
    const { file, reply, end } = await anUploadInProgress();
    await queryAsOwner(service, 'update artifact set uploading_until = $2 where id = $1', [
      decodeId(file.id),
      inSeconds(-1),
    ]);
    for (const seconds of cleanups) await cleanUp(file, inSeconds(seconds));
    end();
    expect((await reply).headers.get('x-error-code')).toBe('WA-AF-029');
    expect(await left(file)).toEqual({ row: undefined, hasBytes: false });
  });
});

describe('an upload whose caller loses the permission', () => {
  const asEditor = (assignment: string) =>
    queryAsOwner(service, `update "user" set ${assignment} where email = 'editor@demo.test' returning id`);
  const viewerOnly = `update user_role set role_id = (select id from role r where r.tenant_id = user_role.tenant_id and r.built_in = $2)
    where user_id = $1`;
  const setRole = async (role: string): Promise<void> => {
    const [editorRow] = await asEditor('status = status');
    await queryAsOwner(service, viewerOnly, [editorRow?.id, role]);
  };

  it.each([
    ['was suspended', () => asEditor(`status = 'SUSPENDED'`), () => asEditor(`status = 'ACTIVE'`)],
    ['lost the role', () => setRole('viewer'), () => setRole('editor')],
  ])('is rejected if the user %s during the upload, and leaves nothing', async (_, take, giveBack) => {
    const { file, reply, end } = await anUploadInProgress();
    await take();
    end();
    const { headers } = await reply;
    await giveBack();
    expect(headers.get('x-error-code')).toBe('FORBIDDEN');
    expect(await left(file)).toEqual({ row: undefined, hasBytes: false });
  });
});

describe('an aborted upload', () => {
  const giveUp = async ({ tenantId, id }: Ids): Promise<void> => {
    const contexts = contextServicesOf(service);
    const context = await contexts.aContext();
    const caller = { ...context.caller, tenantId };
    await abortUpload({ ...contexts.again({ ...context, caller }), artifacts: services } as never, id);
    await contexts.orm.close();
  };

  it('leaves neither row nor bytes', async () => {
    const file = await aFile({ upload_status: 'pending' });
    await giveUp(file);
    expect(await left(file)).toEqual({ row: undefined, hasBytes: false });
  });

  it('leaves no bytes if the cleanup has deleted its row', async () => {
    const file = { tenantId: (await aFile()).tenantId, id: newId() };
    await write(file);
    await giveUp(file);
    expect(await left(file)).toEqual({ row: undefined, hasBytes: false });
  });

  it('keeps a complete file, because its commit may have succeeded without a confirmation', async () => {
    const file = await aFile();
    await giveUp(file);
    expect(await left(file)).toMatchObject({ row: { upload_status: 'ready' }, hasBytes: true });
  });
});

describe('a complete file', () => {
  it('is kept', async () => {
    const file = await aFile();
    const before = await left(file);
    await cleanUp(file, inSeconds(400 * DAY));
    expect(await left(file)).toEqual(before);
    expect(before.hasBytes).toBe(true);
  });

  it('is not accessible to a cleanup job of another workspace', async () => {
    const file = await aFile({ upload_status: 'pending', uploading_until: inSeconds(-1) });
    await cleanUp({ ...file, tenantId: newId() });
    expect(await left(file)).toMatchObject({ row: { upload_status: 'pending' }, hasBytes: true });
  });
});

describe('a deleted file', () => {
  it('gets a cleanup job 30 days later, which is retained long enough', async () => {
    const file = await aFile();
    await editor.delete(`/api/artifacts/${file.id}`);
    expect(Math.abs((await nextCleanupSeconds(file)) - 30 * DAY)).toBeLessThan(60);
    const [job] = await queryAsOwner(
      service,
      `select keep_until > start_after as is_kept from taproot_jobs.job where data->>'artifactId' = $1
       order by start_after desc limit 1`,
      [file.id],
    );
    expect(job?.is_kept).toBe(true);
  });

  it('keeps its bytes for 30 days', async () => {
    const file = await aFile({ deleted_at: inSeconds(-30 * DAY + 60) });
    await cleanUp(file);
    expect(await left(file)).toMatchObject({ row: { purged_at: null }, hasBytes: true });
    expect(await nextCleanupSeconds(file)).toBeLessThanOrEqual(60);
  });

  it('loses its bytes after 30 days, and its row contains the time', async () => {
    const file = await aFile({ deleted_at: inSeconds(-30 * DAY) });
    await cleanUp(file);
    await cleanUp(file, inSeconds(DAY));
    expect(await left(file)).toMatchObject({ row: { purged_at: NOW, upload_status: 'ready' }, hasBytes: false });
  });
});

describe('an inference whose process may be lost', () => {
  const anInferring = async (inferring_until: Date) =>
    aFile({ schema_inference_status: 'running', inference_run: decodeId(newId()), inferring_until });

  it('is kept while its lease is valid', async () => {
    const file = await anInferring(inSeconds(30));
    await cleanUp(file);
    expect(await left(file)).toMatchObject({ row: { schema_inference_status: 'running' } });
    expect(await nextCleanupSeconds(file)).toBeLessThanOrEqual(30);
  });

  it('has failed when its lease expires, and the schema is kept', async () => {
    const file = await anInferring(inSeconds(-1));
    const before = await left(file);
    await cleanUp(file);
    const { row, hasBytes } = await left(file);
    expect([row?.schema_inference_status, row?.inference_error.code]).toEqual(['failed', 'WA-AF-099']);
    expect([row?.data_schema, hasBytes]).toEqual([before.row?.data_schema, true]);
  });
});
