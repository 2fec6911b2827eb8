import { beforeAll, describe, expect, it } from 'vitest';
import { cleanUpArtifact } from '../../../../src/artifacts/clean-up-artifact.js';
import { decodeId, encodeId } from '../../../../src/kernel/ids.js';
import { runTenantTransaction } from '../../../../src/kernel/reading/tenant-transaction.js';
import { cleanUpTable } from '../../../../src/tables/files/clean-up-table.js';
import { runPublication } from '../../../../src/tables/publications/run-publication.js';
import { recountStorage } from '../../../../src/tenancy/recount-storage.js';
import { anArtifact, UPLOAD_PATH, upload } from '../../../support/artifacts/artifact-requests.js';
import { rowsFor } from '../../../support/artifacts/hostile-files.js';
import { streamUpload } from '../../../support/artifacts/streamed-uploads.js';
import { queryAsOwner } from '../../../support/database/owner-queries.js';
import { waitUntil } from '../../../support/database/test-jobs.js';
import { anInboundTap, anIngestService, pushRecords } from '../../../support/ingest/pushed-taps.js';
import { multipartPart } from '../../../support/servers/form-server.js';
import { queryField } from '../../../support/service/callers.js';
import { RawClient } from '../../../support/service/raw-client.js';
import type { Client } from '../../../support/service/service.js';
import { createTestWorkspace } from '../../../support/service/test-workspace.js';
import { getTap, publishFile } from '../../../support/tables/publish-file.js';
import { publicationOf, withTableServices } from '../../../support/tables/table-services.js';

const MIB = 1024 * 1024;
const QUOTA = 5 * MIB;
const service = await anIngestService({ STORAGE_QUOTA_BYTES: String(QUOTA) });

const ONE_MIB = rowsFor(MIB).slice(0, MIB);
const JOB = { attempt: 1, signal: new AbortController().signal };
const FULL =
  /^STORAGE_QUOTA_EXCEEDED: The workspace uses [\d,]+ of [\d,]+ bytes of storage, and this operation needs more. /;

interface Place {
  readonly slug: string;
  readonly client: Client;
}

async function aPlace(slug: string, quota?: number): Promise<Place> {
  await createTestWorkspace(service, slug);
  if (quota !== undefined)
    await queryAsOwner(service, 'update workspace set storage_quota_bytes = $2 where slug = $1', [slug, quota]);
  return { slug, client: service.as('owner', { slug }) };
}

async function usageOf({ client }: Place): Promise<Record<string, number>> {
  const query = '{ workspace { storage { fileBytes recordBytes tableBytes usedBytes quotaBytes } } }';
  return (await queryField(client, query)).storage;
}

async function usageOfRows({ slug }: Place): Promise<Record<string, number>> {
  const [row] = await queryAsOwner(
    service,
    `select (select coalesce(sum(reserved_bytes + case when deleted_at is null then file_size else 0 end), 0) from artifact where tenant_id = w.id)::int as "fileBytes",
       (select coalesce(sum(bytes), 0) from ingest_batch where tenant_id = w.id)::int as "recordBytes",
       (select coalesce(sum(bytes), 0) from table_file where tenant_id = w.id)::int as "tableBytes"
     from workspace w where slug = $1`,
    [slug],
  );
  return row as Record<string, number>;
}

async function expectCounted(place: Place): Promise<Record<string, number>> {
  const usage = await usageOf(place);
  expect(usage).toMatchObject(await usageOfRows(place));
  return usage;
}

async function* chunks(bytes: number): AsyncGenerator<string> {
  const content = rowsFor(bytes);
  for (let at = 0; at < content.length; at += 64 * 1024) yield content.slice(at, at + 64 * 1024);
}

describe('an upload', () => {
  let place: Place;
  beforeAll(async () => {
    place = await aPlace('uploads');
  });

  it('counts from its start', async () => {
    const nothing = { fileBytes: 0, recordBytes: 0, tableBytes: 0, usedBytes: 0, quotaBytes: QUOTA };
    expect(await usageOf(place)).toEqual(nothing);
    await anArtifact(place.client, { content: ONE_MIB });
    expect(await expectCounted(place)).toEqual({ ...nothing, fileBytes: MIB, usedBytes: MIB });
  });

  it('is rejected before its body is read if its Content-Length exceeds the quota', async () => {
    const authorization = `Bearer ${await service.tokenOf('owner', place.slug)}`;
    const head = { authorization, 'x-tenant': place.slug, 'content-type': 'multipart/form-data; boundary=b' };
    const client = new RawClient(service.url + UPLOAD_PATH, { ...head, 'content-length': 50 * MIB });
    await waitUntil(() => client.received.includes('\r\n\r\n'));
    expect(client.received).toMatch(/^HTTP\/1\.1 507 [\s\S]+X-Error-Code: STORAGE_QUOTA_EXCEEDED/i);
    client.socket.destroy();
  });

  it('of unknown length is rejected during the upload, and leaves nothing', async () => {
    const before = await usageOf(place);
    const reply = await streamUpload(place.client, chunks(6 * MIB));
    expect([reply.status, reply.body.error]).toEqual([507, expect.stringMatching(FULL)]);
    expect(await expectCounted(place)).toEqual(before);
  });

  it('that is truncated leaves no bytes', async () => {
    const before = await usageOf(place);
    const authorization = `Bearer ${await service.tokenOf('owner', place.slug)}`;
    const head = { authorization, 'x-tenant': place.slug, 'content-type': 'multipart/form-data; boundary=b' };
    const client = new RawClient(service.url + UPLOAD_PATH, { ...head, 'content-length': 2 * MIB });
    await client.send(multipartPart('data', '{}') + multipartPart('file', ONE_MIB, 'people.csv'));
    await waitUntil(async () => (await usageOf(place)).fileBytes !== before.fileBytes);
    client.socket.destroy();
    await waitUntil(async () => (await usageOf(place)).fileBytes === before.fileBytes);
    await expectCounted(place);
  });

  it('frees its bytes once when it is deleted', async () => {
    const { id } = await anArtifact(place.client, { content: ONE_MIB });
    const before = await usageOf(place);
    expect((await place.client.delete(`/api/artifacts/${id}`)).status).toBe(200);
    const freed = { fileBytes: Number(before.fileBytes) - MIB, usedBytes: Number(before.usedBytes) - MIB };
    expect(await expectCounted(place)).toMatchObject(freed);
    const [row] = await queryAsOwner(service, 'select id from workspace where slug = $1', [place.slug]);
    const data = { tenantId: encodeId(row?.id), artifactId: id };
    const later = new Date(Date.now() + 31 * 86_400_000);
    await withTableServices(service, (services) =>
      Promise.all([1, 2].map(() => cleanUpArtifact(services, data, later))),
    );
    expect(await expectCounted(place)).toMatchObject(freed);
  });
});

describe('concurrent uploads', () => {
  it.each([
    ['of known length', (client: Client) => upload(client, { content: ONE_MIB })],
    ['of unknown length', (client: Client) => streamUpload(client, chunks(700 * 1024))],
  ])('%s stay within the quota together', async (what, send) => {
    const place = await aPlace(`twenty-${what.split(' ')[1]}`);
    const replies = await Promise.all(Array.from({ length: 20 }, () => send(place.client)));
    const accepted = replies.filter(({ status }) => status === 200).length;
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 507]));
    const { usedBytes } = await expectCounted(place);
    expect([accepted > 0, (usedBytes as number) <= QUOTA]).toEqual([true, true]);
  });
});

describe('a workspace', () => {
  it('with a used-up quota still gets the replay of an earlier upload', async () => {
    const place = await aPlace('repeats');
    const once = { 'idempotency-key': 'report' };
    const first = await upload(place.client, { content: ONE_MIB }, once);
    await queryAsOwner(service, 'update workspace set storage_quota_bytes = 1000 where slug = $1', [place.slug]);
    const again = await upload(place.client, { content: ONE_MIB }, once);
    expect([again.status, again.body.data]).toEqual([200, first.body.data]);
    expect((await upload(place.client, { content: ONE_MIB }, { 'idempotency-key': 'other' })).status).toBe(507);
  });

  it('can have its own quota, or none', async () => {
    const [small, unlimited] = [await aPlace('small', 1_000), await aPlace('unlimited', 0)];
    expect((await usageOf(small)).quotaBytes).toBe(1_000);
    expect((await upload(small.client, { content: rowsFor(2_000) })).status).toBe(507);
    expect((await usageOf(unlimited)).quotaBytes).toBeNull();
    expect((await upload(unlimited.client, { content: rowsFor(6 * MIB) })).status).toBe(200);
    await expectCounted(unlimited);
  });

  it('has its usage recounted from what it stores', async () => {
    const place = await aPlace('drifted');
    await anArtifact(place.client, { content: ONE_MIB });
    const { token } = await anInboundTap(place.client, 'open');
    expect((await pushRecords(service, token, [{ id: 1, name: 'x'.repeat(600) }])).status).toBe(202);
    const tap = await publishFile(place.client, rowsFor(10_000));
    const data = await publicationOf(service, tap.id);
    await withTableServices(service, (services) => runPublication(services, data, JOB));
    const usage = await expectCounted(place);
    await queryAsOwner(service, "delete from storage_usage where kind = 'records' and tenant_id = $1", [
      decodeId(data.tenantId),
    ]);
    await queryAsOwner(service, 'update storage_usage set bytes = bytes + 7 where tenant_id = $1', [
      decodeId(data.tenantId),
    ]);
    const { tenantId } = data;
    await withTableServices(service, ({ em, tables }) =>
      runTenantTransaction(em, tables, tenantId, ({ read }) => recountStorage(read, tenantId)),
    );
    expect(await expectCounted(place)).toEqual(usage);
  });

  it('can use its quota to the last byte', async () => {
    const exact = await aPlace('exact', MIB);
    expect((await upload(exact.client, { content: ONE_MIB })).status).toBe(200);
    expect((await upload(exact.client, { content: 'a,b\n1,2\n' })).status).toBe(507);
    expect((await expectCounted(exact)).usedBytes).toBe(MIB);
  });
});

describe('pushed records', () => {
  it('are rejected above the quota with Retry-After; earlier records are kept', async () => {
    const place = await aPlace('pushes', 1_000);
    const { token } = await anInboundTap(place.client, 'open');
    const records = [{ id: 1, name: 'x'.repeat(600) }];
    expect((await pushRecords(service, token, records)).status).toBe(202);
    const usage = await expectCounted(place);
    const refused = await pushRecords(service, token, [{ id: 2, name: 'y'.repeat(600) }]);
    expect([refused.status, refused.body.error, refused.headers.get('retry-after')]).toEqual([
      ...[507, expect.stringMatching(FULL), '300'],
    ]);
    expect((await pushRecords(service, token, records)).body.data).toMatchObject({ accepted: 0, duplicates: 1 });
    expect(await expectCounted(place)).toEqual(usage);
    await queryAsOwner(service, 'update workspace set storage_quota_bytes = 5000 where slug = $1', [place.slug]);
    expect((await pushRecords(service, token, [{ id: 2, name: 'y'.repeat(600) }])).status).toBe(202);
  });
});

describe('a publication', () => {
  it('above the quota fails with the reason, keeps its file and frees its written bytes', async () => {
    const place = await aPlace('publications');
    const content = rowsFor(300_000);
    const tap = await publishFile(place.client, content);
    await queryAsOwner(service, 'update workspace set storage_quota_bytes = $2 where slug = $1', [
      ...[place.slug, Buffer.byteLength(content) + 1],
    ]);
    const data = await publicationOf(service, tap.id);
    await withTableServices(service, (services) => runPublication(services, data, JOB));
    const { publication, attributedArtifactId } = await getTap(place.client, tap.id);
    expect(publication).toMatchObject({ status: 'failed', error: expect.stringMatching(FULL) });
    const { fileBytes, tableBytes } = await expectCounted(place);
    expect([fileBytes, tableBytes]).toEqual([Buffer.byteLength(content), 0]);
    expect((await place.client.request(`/api/artifacts/${attributedArtifactId}`)).body.data.id).toBe(
      attributedArtifactId,
    );
  });

  it('counts its files until they are deleted', async () => {
    const place = await aPlace('published');
    const tap = await publishFile(place.client, rowsFor(100_000));
    const data = await publicationOf(service, tap.id);
    await withTableServices(service, (services) => runPublication(services, data, JOB));
    expect((await expectCounted(place)).tableBytes).toBeGreaterThan(0);
    const [table] = await queryAsOwner(
      service,
      `update table_file set state = 'replaced', kept_until = now() where tenant_id = (select id from workspace where slug = $1) returning table_id`,
      [place.slug],
    );
    const job = { tenantId: data.tenantId, tableId: encodeId(table?.table_id) };
    await withTableServices(service, (services) => cleanUpTable(services, job, JOB.signal));
    expect((await expectCounted(place)).tableBytes).toBe(0);
  });
});
