import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../examples/fake-vendor/shop-data.js';
import { aBrowser, accessibilityFaultsOf } from '../support/browser.js';
import { expectAccessible, mainOf, signIn } from '../support/console.js';
import { waitUntil } from '../support/database/test-jobs.js';
import { aService } from '../support/service/service.js';
import { publishFile, waitForPublication } from '../support/tables/publish-file.js';
import { aFakeShop } from '../support/vendors/fake-shop.js';

const shop = await aFakeShop({ orders: 20 });
const service = aService({ ...shop.env, JOBS: 'on', INITIAL_SYNC: 'on' });
const browser = aBrowser();
afterAll(() => shop.close());

const RUN = 'mutation ($run: TableRunInput!) { recordTableRun(input: $run) { id } }';

/**
 * An external job has reported 20 runs of this table. A check fails in the last 4 runs. The last 2 runs report twice as
 * many rows.
 */
let tableId: string;
beforeAll(async () => {
  const editor = service.as('editor');
  const { id } = await publishFile(editor, 'id,name\n1,Ada\n2,Grace\n', 'People');
  await waitForPublication(editor, id);
  const table = 'query ($id: Base62Id!) { tenantConnectorTap(id: $id) { table { id } } }';
  tableId = (await editor.graphql(table, { id })).body.data.tenantConnectorTap.table.id;
  for (let nth = 0; nth < 20; nth++) await report(nth, nth < 18 ? 1_000 + (nth % 3) : 2_000 + nth);
});

async function report(nth: number, value: number): Promise<void> {
  const run = {
    ...{ tableId, runId: `night ${nth}`, values: [{ kind: 'TABLE_ROW_COUNT', value }] },
    checks: [
      {
        ...{ id: 'people_have_names', description: 'Each person has a name.', gate: 'GATE_2', comparator: 'LTE' },
        ...{ observed: nth / 100, threshold: 0.15 },
      },
    ],
  };
  const { body } = await service.as('operator').graphql(RUN, { run });
  expect(body.errors).toBeUndefined();
}

describe('the quality screens', () => {
  it('accept a new level in a chart, so that the next run at this level is in bounds', async () => {
    const page = await signIn(browser, service, 'editor', '/w/demo/quality?view=charts');
    await mainOf(page)
      .getByRole('row', { name: /people.*out of control.*N1/i })
      .getByRole('link')
      .click();
    const chart = mainOf(page).getByRole('article', { name: 'Rows', exact: true });
    await chart.getByText('out of control', { exact: true }).waitFor();
    const points = chart.getByRole('slider');
    expect(await points.getAttribute('aria-valuetext')).toContain('2,019');
    await points.press('Home');
    expect(await points.getAttribute('aria-valuetext')).toContain('1,000');

    await chart.getByRole('button', { name: 'Accept the new level' }).click();
    await page.getByText('The level has 2 points').waitFor();
    await page.getByRole('button', { name: 'Accept the level' }).click();
    await chart.getByText('new level accepted').waitFor();
    await report(20, 2_021);
    await chart.getByText('collecting history', { exact: true }).waitFor();
    await page.close();
  });

  it('show the evidence of a failed check, and edit the contract with a preview against earlier runs', async () => {
    const page = await signIn(browser, service, 'editor', `/w/demo/quality/${tableId}?scope=data`);
    const check = mainOf(page).getByRole('listitem').filter({ hasText: 'Each person has a name.' });
    await check.getByText('marks the table as degraded').waitFor();
    expect(await check.innerText()).toContain('must be ≤ 0.15');
    await mainOf(page).getByRole('link', { name: 'Edit the contract' }).click();
    await mainOf(page).getByText('Change the contract to see').waitFor();
    await mainOf(page).getByRole('button', { name: 'Add the chart' }).click();
    await mainOf(page).getByLabel('Earlier points required before the chart reports violations').fill('2');
    await mainOf(page)
      .getByText(/A problem would appear in/)
      .waitFor();
    expect(await accessibilityFaultsOf(page)).toEqual([]);
    await mainOf(page).getByRole('button', { name: 'Save the contract' }).click();
    await mainOf(page).getByRole('link', { name: 'Edit the contract' }).click();
    await expect
      .poll(() => mainOf(page).getByLabel('Earlier points required before the chart reports violations').inputValue())
      .toBe('2');
    await page.close();
  });

  it('name what is lost before a person decides about rows that a gate holds', async () => {
    const [grouping] = (await service.as('editor').request('/api/vendors/platform-vendor-groupings/fake-shop')).body
      .data;
    const connection = (
      await service.as('editor').post('/api/connectors', {
        ...{ groupingId: grouping.id, connectorId: grouping.connectorId, authenticationConfig: { apiKey: 'demo-key' } },
        authenticationStrategyId: grouping.supportedAuthStrategies[0].id,
      })
    ).body.data;
    const path = `/api/vendors/tenant-connector-instances/${connection.id}`;
    const endedWith = (status: string) => async () => {
      const [latest] = (await service.as('editor').request(`${path}/syncs`)).body.data.items;
      return latest?.status === status;
    };
    await waitUntil(endedWith('succeeded'));
    (shop.vendor.data.customers as Customer[]).splice(10);
    await service.as('editor').post(`${path}/syncs`, {});
    await waitUntil(endedWith('partial_success'));

    const page = await signIn(browser, service, 'editor', '/w/demo/quality');
    await mainOf(page)
      .getByRole('row', { name: /customers.*waits for a decision/ })
      .getByRole('link')
      .click();
    await mainOf(page).getByText('missing_rate is 0.75 (30 of 40 records)').first().waitFor();
    await mainOf(page).getByRole('button', { name: 'Accept the rows' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.innerText()).toContain('The rows of the read replace all 40 rows of the table.');
    expect(await accessibilityFaultsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Accept the rows' }).click();
    await dialog.waitFor({ state: 'detached' });
    await mainOf(page).getByRole('button', { name: 'Accept the rows' }).waitFor({ state: 'detached' });
    await mainOf(page).getByRole('link', { name: 'See the rows' }).click();
    await mainOf(page).getByText('10 rows in').waitFor();
    await page.close();
  });

  it('have no serious accessibility fault in either theme', async () => {
    const paths = ['?status=all', '?view=charts&status=all', `/${tableId}?scope=data`];
    await expectAccessible(
      browser,
      service,
      paths.map((path) => `/w/demo/quality${path}`),
    );
  });

  it('offer a viewer no change', async () => {
    const page = await signIn(browser, service, 'viewer', `/w/demo/quality/${tableId}?scope=data`);
    await mainOf(page).getByRole('article', { name: 'Rows', exact: true }).waitFor();
    for (const name of [/Accept/, /level/, /Discard/])
      expect(await mainOf(page).getByRole('button', { name }).count()).toBe(0);
    expect(await mainOf(page).getByRole('link', { name: 'Edit the contract' }).count()).toBe(0);
    await page.close();
  });
});
