import { readdir } from 'node:fs/promises';
import { afterEach, expect, it } from 'vitest';
import { anArtifact } from '../../support/artifacts/artifact-requests.js';
import { queryAsOwner } from '../../support/database/owner-queries.js';
import { type KeptService, KeptServices } from '../../support/service/kept-services.js';
import { localTokenOf } from '../../support/service/local-token.js';
import { aClient, type Client } from '../../support/service/service.js';
import { createTestWorkspace } from '../../support/service/test-workspace.js';

const ROWS = `
select table_schema || '.' || table_name as name,
  query_to_xml(format('select * from %I.%I order by 1', table_schema, table_name), false, true, '')::text as rows
from information_schema.tables where table_schema in ('public', 'taproot_jobs') order by 1`;

const services = new KeptServices();
const taken: KeptService[] = [];

async function take(): Promise<KeptService> {
  const kept = await services.take();
  taken.push(kept);
  return kept;
}

async function giveBack(kept: KeptService): Promise<void> {
  taken.splice(taken.indexOf(kept), 1);
  await services.giveBack(kept);
}

afterEach(async () => {
  for (const kept of [...taken]) await giveBack(kept);
});

function editorOf({ service, dataDir }: KeptService, slug: string): Client {
  const authorization = async () => `Bearer ${await localTokenOf(dataDir, `editor@${slug}.test`)}`;
  return aClient(service, async () => ({ authorization: await authorization(), 'x-tenant': slug }));
}

const rowsOf = ({ database }: KeptService) => queryAsOwner({ databaseUrl: database.url }, ROWS);
const filesOf = ({ dataDir }: KeptService) => readdir(dataDir, { recursive: true });

it('has the rows and files of a new service for the next test file', async () => {
  const first = await take();
  const [rows, files] = [await rowsOf(first), (await filesOf(first)).sort()];
  await createTestWorkspace({ databaseUrl: first.database.url }, 'acme');
  for (const slug of ['demo', 'acme']) await anArtifact(editorOf(first, slug));
  expect(await rowsOf(first)).not.toEqual(rows);
  expect((await filesOf(first)).sort()).not.toEqual(files);
  await giveBack(first);

  const second = await take();
  expect(second.service).toBe(first.service);
  expect(await rowsOf(second)).toEqual(rows);
  expect((await filesOf(second)).sort()).toEqual(files);
});

it('knows a workspace that two test files create with the same name', async () => {
  for (const _ of [1, 2]) {
    const kept = await take();
    await createTestWorkspace({ databaseUrl: kept.database.url }, 'acme');
    expect((await editorOf(kept, 'acme').request('/api/users/me')).status).toBe(200);
    await giveBack(kept);
  }
});

it('is stopped after a test file that has changed the catalog', async () => {
  const first = await take();
  await queryAsOwner(
    { databaseUrl: first.database.url },
    `update platform_vendor set name = name where slug = 'github'`,
  );
  await giveBack(first);
  expect((await take()).service).not.toBe(first.service);
});

it('is used by one of two callers at a time', async () => {
  expect((await take()).service).not.toBe((await take()).service);
});
