import { beforeAll, describe, expect, it } from 'vitest';
import { aBrowser, accessibilityFaultsOf } from '../support/browser.js';
import { expectAccessible, expectNarrow, mainOf, signIn } from '../support/console.js';
import {
  anInboundTap,
  anIngestService,
  type InboundTap,
  pushRecords,
  SENDER_SECRET,
} from '../support/ingest/pushed-taps.js';
import { VENDOR_SLUG } from '../support/vendors/fake-vendor-definitions.js';

const service = await anIngestService({ JOBS: 'on', INGEST_FLUSH_SECONDS: '1' });
const browser = aBrowser();

let tap: InboundTap;
let path: string;

beforeAll(async () => {
  tap = await anInboundTap(service.as('owner'), 'open');
  path = `/w/demo/ingest/${tap.tapId}`;
});

describe('the ingest screen', () => {
  it('connects a sender with its secret', async () => {
    const page = await signIn(browser, service, 'editor', `/w/demo/catalog/${VENDOR_SLUG}`);
    const main = mainOf(page);
    await main.getByRole('link', { name: 'Connect Sender signed' }).click();
    await page.getByLabel(/^secret/).fill(SENDER_SECRET);
    await page.getByLabel('Name of the connection').fill('Orders of the shop');
    expect(await accessibilityFaultsOf(page)).toEqual([]);
    await main.getByRole('button', { name: 'Connect' }).click();
    await main.getByRole('link', { name: 'Create addresses' }).click();
    await main
      .getByRole('link', { name: /Orders of the shop/ })
      .first()
      .click();
    await main.getByText('An HMAC-SHA256 signature').waitFor();
    await main.getByText('Waiting for a delivery').waitFor();
    await page.close();
  });

  it('mints a token, follows a delivery to its address, rotates the token and revokes it', async () => {
    const page = await signIn(browser, service, 'editor', '/w/demo/ingest');
    const main = mainOf(page);
    await main.getByRole('link', { name: /Sender open/ }).click();
    await main.getByRole('button', { name: 'Create a token' }).click();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const shown = main.getByRole('region', { name: 'New address' });
    const address = await shown.locator('pre').first().innerText();
    expect(await shown.locator('pre').last().innerText()).toContain(`curl '${address}'`);
    expect(await accessibilityFaultsOf(page)).toEqual([]);

    const token = address.split('/').at(-1) as string;
    const { body } = await pushRecords(service, token, [
      { id: 1, name: 'a' },
      { id: 2, name: 'b' },
    ]);
    await main.getByRole('row', { name: new RegExp(`${body.data.batchId}.*2.*Loaded`) }).waitFor();
    await shown.getByRole('button', { name: 'I stored it' }).click();
    expect(await page.content()).not.toContain(token);

    const row = main.getByRole('row', { name: new RegExp(token.slice(0, 12)) });
    await row.getByRole('button', { name: /Rotate/ }).click();
    await page.getByRole('button', { name: 'Rotate the token' }).click();
    await shown.waitFor();
    await row.getByText('In grace period').waitFor();
    await row.getByRole('button', { name: /Revoke/ }).click();
    await page.getByRole('button', { name: 'Revoke the token' }).click();
    await row.getByText('Revoked').waitFor();
    expect(await pushRecords(service, token, [{ id: 3 }])).toMatchObject({ status: 401 });
    await page.close();
  });

  it('finds a rejected record with its reason, by a search in the address', async () => {
    await pushRecords(service, tap.token, [{ id: 'x17' }, { id: 'y18' }]);
    const page = await signIn(browser, service, 'viewer', path);
    const rejects = mainOf(page).getByRole('table', { name: 'Rejected records' });
    await rejects.getByRole('row', { name: /y18/ }).waitFor();
    await mainOf(page).getByRole('searchbox').fill('x17');
    await page.waitForURL(/reject=x17/);
    await rejects.getByRole('row', { name: /y18/ }).waitFor({ state: 'detached' });
    await rejects.getByRole('row', { name: /id.*Integer.*x17/ }).waitFor();
    await page.close();
  });

  it('accepts the new columns of held records', async () => {
    const editor = service.as('editor');
    await editor.patch(`/api/tenant-connector-taps/${tap.tapId}`, { driftPolicy: 'ask' });
    await pushRecords(service, tap.token, [{ id: 4, color: 'red' }]);
    const page = await signIn(browser, service, 'editor', path);
    await mainOf(page)
      .getByRole('row', { name: /color.*String.*1/ })
      .waitFor();
    await mainOf(page).getByRole('button', { name: 'Accept 1 column' }).click();
    await mainOf(page).getByRole('table', { name: 'New columns' }).waitFor({ state: 'detached' });
    await page.close();
  });

  it('shows a viewer the tokens without actions', async () => {
    const page = await signIn(browser, service, 'viewer', path);
    await mainOf(page).getByRole('table', { name: 'Tokens' }).waitFor();
    expect(await mainOf(page).getByRole('button').allInnerTexts()).toEqual([]);
    await page.close();
  });

  it('fits a narrow screen', async () => {
    await expectNarrow(browser, service, ['/w/demo/ingest', path]);
  });

  it('has no serious accessibility fault in either theme', async () => {
    await expectAccessible(browser, service, ['/w/demo/ingest', '/w/demo/ingest?show=all', path]);
  });
});
