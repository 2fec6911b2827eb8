import 'reflect-metadata';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { PROJECT_ROOT } from '../src/kernel/project-root.js';
import { DEMO_WORKSPACE } from '../src/tenancy/workspaces/seed-demo.js';
import type { DemoClient } from './demo-client.js';
import { DemoConnection } from './demo-connection.js';
import { DemoProcesses } from './demo-processes.js';
import { DemoTable } from './demo-table.js';
import { launchBrowser } from './launch-browser.js';

const ORDERS = 250;

const BATCHES = 24;

const README_SCREENSHOTS = ['home', 'connector', 'sync', 'table-quality'];

const PAGES = `{
  tables: catalogTables(limit: 50) { items { id name } }
  syncs: syncJobs(limit: 1, orderBy: CREATED_AT_DESC) { items { id } }
}`;

const { values } = parseArgs({
  options: { all: { type: 'string' }, width: { type: 'string', default: '1280' } },
});

/** Takes the screenshots of the README. With `--all <folder>`, takes screenshots of all pages in both themes. */
const processes = await DemoProcesses.start(ORDERS);
try {
  const service = await processes.startService('all');
  const pages = await fillWorkspace(await processes.ownerOf(service));
  const browser = await launchBrowser();
  const folder = values.all ?? join(PROJECT_ROOT, 'docs/images');
  await mkdir(folder, { recursive: true });
  for (const colorScheme of values.all ? (['light', 'dark'] as const) : (['light'] as const)) {
    const viewport = { width: Number(values.width), height: 800 };
    const page = await browser.newPage({ colorScheme, viewport });
    await page.goto(service.url);
    await page.getByRole('button', { name: /owner/ }).waitFor();
    if (values.all) await page.screenshot({ path: join(folder, `sign-in-${colorScheme}.png`) });
    await page.getByRole('button', { name: /owner/ }).click();
    await page.getByRole('navigation', { name: 'Sections' }).waitFor();
    for (const [name, path] of Object.entries(pages)) {
      if (!values.all && !README_SCREENSHOTS.includes(name)) continue;
      await page.goto(`${service.url}/w/${DEMO_WORKSPACE}${path}`);
      await waitUntilLoaded(page);
      const suffix = values.all ? `-${colorScheme}` : '';
      await page.screenshot({ path: join(folder, `${name}${suffix}.png`), fullPage: values.all !== undefined });
    }
    await page.close();
  }
  await browser.close();
} finally {
  await processes.close();
}

async function waitUntilLoaded(page: Page): Promise<void> {
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
  // Waits at most 1.5 s for pending requests. The connections for live updates stay open, so this wait times out.
  await page.waitForLoadState('networkidle', { timeout: 1_500 }).catch(() => undefined);
  await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' });
}

async function fillWorkspace(client: DemoClient): Promise<Record<string, string>> {
  const production = await DemoConnection.create(client, { name: 'Shop, production' });
  const limited = await DemoConnection.create(client, { name: 'Shop, Berlin', apiKey: 'limited-key' });
  const broken = await DemoConnection.create(client, { name: 'Shop, staging', apiKey: 'expired-key' });
  for (const connection of [production, limited]) await connection.endOfSync();
  await broken.credentialResult();
  const table = await DemoTable.publish(client);
  await table.requireEmails();
  await table.push(1, BATCHES);
  const { tables, syncs } = await client.query<Found>(PAGES, {});
  const [orders] = tables.items.filter(({ name }) => name.startsWith('orders'));
  const [sync] = syncs.items;
  const connector = await connectorOf(client);
  return {
    ...{ home: '', connections: '/connections', catalog: '/catalog', vendor: '/catalog/github' },
    connector: `/connectors/${connector}`,
    connection: `/connections/${production.id}`,
    'connection-broken': `/connections/${broken.id}`,
    sync: `/syncs/${sync?.id}`,
    ...{ files: '/files', file: await fileWithChangedType(client), tables: '/tables' },
    ...{ quality: '/quality', 'table-quality': `/quality/${table.id}`, ingest: '/ingest' },
    ...Object.fromEntries(
      ['people', 'roles', 'keys', 'redirects', 'audit', 'requests'].map((tab) => [
        `settings-${tab}`,
        `/settings?tab=${tab}`,
      ]),
    ),
    ...Object.fromEntries(
      ['rows', 'rejects', 'columns', 'files', 'versions', 'read'].map((tab) => [
        tab === 'rows' ? 'table' : `table-${tab}`,
        `/tables/${orders?.id}?tab=${tab}`,
      ]),
    ),
  };
}

/** Returns the page of a file in which some values do not fit the type that a user has set. */
async function fileWithChangedType(client: DemoClient): Promise<string> {
  const days = Array.from({ length: 60 }, (_, at) => `${1001 + at};${(at % 28) + 1}/0${(at % 9) + 1}/2026;${at},50 €`);
  const rows = ['order;shipped on;amount', ...days, '1061;tbd;12,00 €', '1062;on hold;7,25 €', '1063;01/04/2026'];
  const form = new FormData();
  form.append('data', JSON.stringify({ fileName: 'shipments.csv' }));
  form.append('file', new File([rows.join('\n')], 'shipments.csv'));
  const { artifact } = await client.post<{ artifact: { id: string } }>('/api/artifacts/upload-artifact', form);
  await client.post('/api/artifacts/run-artifact-schema-inference', { artifactId: artifact.id });
  const columns = [{ name: 'shipped on', type: 'Date', format: 'd/MM/yyyy' }];
  return `/files/${artifact.id}?columns=${encodeURIComponent(JSON.stringify(columns))}`;
}

interface Found {
  readonly tables: { readonly items: readonly { readonly id: string; readonly name: string }[] };
  readonly syncs: { readonly items: readonly { readonly id: string }[] };
}

async function connectorOf(client: DemoClient): Promise<string | undefined> {
  const document = `{ connectors(limit: 250) { items { id slug traversal { edges { from } } } } }`;
  interface Connectors {
    readonly connectors: {
      readonly items: readonly { readonly id: string; readonly traversal?: { readonly edges: readonly object[] } }[];
    };
  }
  const { connectors } = await client.query<Connectors>(document, {});
  const edges = ({ traversal }: Connectors['connectors']['items'][number]): number => traversal?.edges?.length ?? 0;
  return [...connectors.items].sort((a, b) => edges(b) - edges(a))[0]?.id;
}
