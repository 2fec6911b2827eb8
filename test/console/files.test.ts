import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { anArtifact } from '../support/artifacts/artifact-requests.js';
import { aBrowser, accessibilityFaultsOf } from '../support/browser.js';
import { expectAccessible, expectNarrow, mainOf, signIn } from '../support/console.js';
import { anInferredArtifact } from '../support/operations/tap-calls.js';
import { aService } from '../support/service/service.js';
import { publishFile, waitForPublication } from '../support/tables/publish-file.js';

const service = aService({ JOBS: 'on' });
const browser = aBrowser();
const FILES = '/w/demo/files';

/** Each `day` fits two date formats, except for the value `tbd`. */
const ORDERS = `id,day,price\n${Array.from({ length: 40 }, (_, at) => `${at},0${(at % 9) + 1}/02/2024,${at}.50\n`).join('')}40,tbd,3.00\n`;

const fileOf = (name: string, content: string | Buffer) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(content),
});
const choose = (page: Page, ...files: ReturnType<typeof fileOf>[]) =>
  mainOf(page)
    .getByLabel(/Drop files here/)
    .setInputFiles(files);
const uploadsOf = (page: Page) => mainOf(page).getByRole('list', { name: 'Uploads' });

describe('the files screen', () => {
  it('uploads a file, corrects a type, shows the rows that do not fit, and publishes the table', async () => {
    const page = await signIn(browser, service, 'editor', FILES, { expectedErrors: /status of 400|422/ });
    const main = mainOf(page);
    await choose(page, fileOf('orders.csv', ORDERS));
    await uploadsOf(page).getByText(/^Done/).waitFor();
    await main.getByRole('row', { name: /orders\.csv.*Ready to publish/ }).waitFor();
    await uploadsOf(page).getByRole('link', { name: 'orders.csv' }).click();

    await main.getByText('None of 41 rows would be rejected.').waitFor();
    const row = main.getByRole('table', { name: 'Columns of the file' }).getByRole('row', { name: /^day String/ });
    await row.getByRole('button', { name: 'Change the type of day' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Type', { exact: true }).selectOption('Date');
    await dialog.getByRole('button', { name: 'Check the rows' }).click();
    await dialog.getByText(/dd\/MM\/yyyy and MM\/dd\/yyyy/).waitFor();
    await dialog.getByText(/^Request/).waitFor();
    await dialog.getByLabel(/^Format/).fill('dd/MM/yyyy');
    await dialog.getByRole('button', { name: 'Check the rows' }).click();
    await dialog.getByText('1 of 41 rows would be rejected.').waitFor();
    await dialog.getByRole('row', { name: /42 tbd "tbd" is not a date/ }).waitFor();
    expect(await accessibilityFaultsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Use this type' }).click();

    await main.getByRole('row', { name: /^day Date dd\/MM\/yyyy Inferred: String/ }).waitFor();
    await page.reload();
    await main.getByRole('table', { name: 'Values of day that do not fit' }).waitFor();
    await main.getByRole('button', { name: 'Publish as a table' }).click();
    await page.getByRole('dialog').getByText('1 of 41 rows would be rejected.').waitFor();
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await main.getByText('40 rows loaded, 1 rejected.').waitFor();
    expect(new URL(page.url()).search).toBe('');

    await main.getByRole('link', { name: 'Show 1 rejected row' }).click();
    await main.getByRole('row', { name: /column "day": "tbd" is not a date/ }).waitFor();
    await main.getByRole('button', { name: 'Rows', exact: true }).click();
    await main
      .getByRole('row', { name: /2024-02-01/ })
      .first()
      .waitFor();
    await page.close();
  });

  it('uploads dropped files, and shows the error and the request id of a rejected file', async () => {
    const page = await signIn(browser, service, 'editor', FILES, { expectedErrors: /status of 415/ });
    const dropped = await page.evaluateHandle(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(['id,name\n1,Ada\n'], 'dropped.csv'));
      transfer.items.add(new File(['{"a": [1]}'], 'broken.json'));
      return transfer;
    });
    await mainOf(page).getByText('Drop files here').dispatchEvent('drop', { dataTransfer: dropped });
    const uploads = uploadsOf(page);
    await uploads.getByRole('listitem').filter({ hasText: 'dropped.csv' }).getByText(/^Done/).waitFor();
    const broken = uploads.getByRole('listitem').filter({ hasText: 'broken.json' });
    await broken.getByText(/^Request [0-9a-f-]{36}$/).waitFor();
    await broken.getByRole('button', { name: /Try again/ }).waitFor();
    await mainOf(page).getByRole('button', { name: 'Hide finished' }).click();
    await uploads.waitFor({ state: 'detached' });
    await page.close();
  });

  it('shows the progress of an upload, also after a visit to another page, and cancels it', async () => {
    const page = await signIn(browser, service, 'editor', FILES);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Network.emulateNetworkConditions', {
      ...{ offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 100_000 },
    });
    await choose(page, fileOf('large.csv', `id\n${'1\n'.repeat(2 ** 21)}`));
    await uploadsOf(page)
      .getByText(/^Uploading: .* of 4 MiB$/)
      .waitFor();
    await page.getByRole('link', { name: 'Tables' }).click();
    await mainOf(page).getByRole('heading', { name: 'Tables' }).waitFor();
    await page.getByRole('link', { name: 'Files' }).click();
    await uploadsOf(page).getByRole('progressbar', { name: 'Progress of large.csv' }).waitFor();
    const aborted = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/upload-artifact'));
    await uploadsOf(page).getByRole('button', { name: 'Cancel the upload of large.csv' }).click();
    await aborted;
    await uploadsOf(page).waitFor({ state: 'detached' });
    const { body } = await service.as('editor').request('/api/artifacts?limit=250');
    expect(body.data.items.map(({ fileName }: { fileName: string }) => fileName)).not.toContain('large.csv');
    await page.close();
  });

  it('finds a file by name and state, with the filters in the address', async () => {
    await anArtifact(service.as('editor'), { name: 'spring-2024.csv' });
    await anInferredArtifact(service.as('editor'));
    const page = await signIn(browser, service, 'viewer', FILES);
    await mainOf(page).getByRole('searchbox').fill('SPRING');
    await page.waitForURL(/name=SPRING/);
    await mainOf(page).getByRole('button', { name: 'Types unknown' }).click();
    await page.waitForURL(/state=untyped/);
    const rows = mainOf(page).getByRole('table', { name: 'Files of the workspace' }).getByRole('row');
    await rows.filter({ hasText: 'people.csv' }).first().waitFor({ state: 'detached' });
    await rows.filter({ hasText: /spring-2024\.csv.*Types unknown/ }).waitFor();
    await page.close();
  });

  it('states what is lost before it deletes a file', async () => {
    const { id } = await anArtifact(service.as('editor'), { name: 'old.csv' });
    const page = await signIn(browser, service, 'editor', `${FILES}/${id}`);
    await mainOf(page).getByRole('button', { name: 'Delete the file' }).click();
    await page
      .getByRole('dialog')
      .getByText(/after 30 days/)
      .waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the file' }).click();
    await page.waitForURL(new RegExp(`${FILES}$`));
    expect((await service.as('editor').request(`/api/artifacts/${id}`)).body.data).toBeNull();
    await page.close();
  });

  it('removes the table of a published file, which can then be published again', async () => {
    const tap = await publishFile(service.as('editor'), 'id,name\n1,Ada\n', 'Again');
    await waitForPublication(service.as('editor'), tap.id);
    const page = await signIn(browser, service, 'editor', `${FILES}/${tap.attributedArtifactId}`);
    await mainOf(page).getByRole('button', { name: 'Remove the table' }).click();
    await page
      .getByRole('dialog')
      .getByText(/1 row disappears from the list of tables/)
      .waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove the table' }).click();
    await mainOf(page).getByRole('button', { name: 'Publish as a table' }).waitFor();
    await page.close();
  });

  it('shows a viewer the evidence without actions', async () => {
    const id = await anInferredArtifact(service.as('editor'), ORDERS);
    const page = await signIn(browser, service, 'viewer', `${FILES}/${id}`);
    await mainOf(page)
      .getByText(/The sample has 41 values/)
      .first()
      .waitFor();
    expect(await mainOf(page).getByRole('button').allInnerTexts()).toEqual([]);
    await page.goto(`${service.url}${FILES}`);
    await mainOf(page).getByRole('table', { name: 'Files of the workspace' }).waitFor();
    expect(
      await mainOf(page)
        .getByLabel(/Drop files here/)
        .count(),
    ).toBe(0);
    await page.close();
  });

  it('fits a narrow screen', async () => {
    await expectNarrow(browser, service, [FILES, `${FILES}/${await anInferredArtifact(service.as('editor'), ORDERS)}`]);
  });

  it('has no serious accessibility fault in either theme', async () => {
    const [untyped, typed] = [
      (await anArtifact(service.as('editor'))).id,
      await anInferredArtifact(service.as('editor'), ORDERS),
    ];
    const changed = encodeURIComponent(JSON.stringify([{ name: 'day', type: 'Integer' }]));
    const paths = [FILES, `${FILES}/${untyped}`, `${FILES}/${typed}`, `${FILES}/${typed}?columns=${changed}`];
    await expectAccessible(browser, service, paths);
  });
});
