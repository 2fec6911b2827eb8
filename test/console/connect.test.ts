import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { aBrowser, accessibilityFaultsOf } from '../support/browser.js';
import { expectAccessible, mainOf, signIn } from '../support/console.js';
import { aService } from '../support/service/service.js';
import { aFakeShop } from '../support/vendors/fake-shop.js';

const shop = await aFakeShop();
const service = aService({ ...shop.env, JOBS: 'on', INITIAL_SYNC: 'on' });
const browser = aBrowser();
afterAll(() => shop.close());

describe('the console', () => {
  it('connects with a wrong key, says why it fails, and repairs the connection', async () => {
    const page = await signIn(browser, service, 'editor', '/');
    await mainOf(page).getByRole('link', { name: 'Choose a vendor' }).click();
    // The slow page gives the search field time to send its delayed search during the navigation.
    await page.route(/vendor-screen/, (route) => sleep(1_000).then(() => route.continue()));
    await page.getByRole('searchbox').fill('fake');
    await mainOf(page)
      .getByRole('link', { name: /Fake Shop/ })
      .click();
    await mainOf(page)
      .getByRole('link', { name: /^Connect/ })
      .click();
    await page.getByLabel(/^API key/).fill('wrong');
    await page.getByRole('button', { name: 'Connect and test' }).click();
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toContain('Compare the entered key with the key at the vendor');

    await mainOf(page).getByRole('link', { name: 'Open the connection' }).click();
    await mainOf(page).getByRole('link', { name: 'Repair' }).click();
    await page.getByLabel(/^API key/).fill('demo-key');
    await page.getByRole('button', { name: 'Save and test' }).click();
    await page.getByText('The vendor accepts the credentials').waitFor();

    await mainOf(page).getByRole('link', { name: 'Open the connection' }).click();
    const orders = mainOf(page).getByRole('row', { name: /orders.*succeeded.*250/ });
    await orders.waitFor();
    expect(await accessibilityFaultsOf(page)).toEqual([]);

    await mainOf(page).getByRole('link', { name: '350 records' }).click();
    await mainOf(page)
      .getByRole('button', { name: /requests? of orders/ })
      .click();
    await mainOf(page)
      .getByRole('cell', { name: /GET .*\/v1\/orders/ })
      .first()
      .waitFor();
    expect(await accessibilityFaultsOf(page)).toEqual([]);

    await page.goBack();
    await orders.getByRole('link', { name: 'orders' }).click();
    await mainOf(page).getByRole('columnheader', { name: 'status' }).waitFor();
    await mainOf(page).getByText('Page 1 of 5').waitFor();
    await mainOf(page).getByRole('button', { name: 'Next' }).click();
    await page.waitForURL(/page=2/);
    await mainOf(page).getByText('Page 2 of 5').waitFor();
    for (const tab of ['Rejects', 'Columns', 'Files', 'Versions', 'Read with tools']) {
      await mainOf(page).getByRole('button', { name: tab }).click();
      await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' });
      expect([tab, await accessibilityFaultsOf(page)]).toEqual([tab, []]);
    }
    await page.close();
  });

  it('edits the schedule of a connection, and shows why a schedule is invalid', async () => {
    const page = await signIn(browser, service, 'editor', '/w/demo/connections');
    await mainOf(page)
      .getByRole('link', { name: /Fake Shop/ })
      .click();
    await mainOf(page).getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Minutes between two syncs').fill('1');
    await page.getByRole('button', { name: 'Save schedule' }).click();
    expect(await page.getByRole('alert').innerText()).toContain('intervalMinutes');
    expect(await accessibilityFaultsOf(page)).toEqual([]);
    await page.getByLabel('Minutes between two syncs').fill('60');
    await page.getByRole('button', { name: 'Save schedule' }).click();
    await mainOf(page).getByText('Every hour').waitFor();
    await page.close();
  });

  it('shows the progress and the waits of a sync, cancels it, and reads a time range again', async () => {
    const page = await signIn(browser, service, 'editor', '/w/demo/connections');
    await mainOf(page)
      .getByRole('link', { name: /Fake Shop/ })
      .click();
    shop.vendor.faults.switchOn({ path: '/v1/orders', status: 429, headers: { 'retry-after': '600' } });
    await mainOf(page).getByRole('button', { name: 'Re-sync' }).click();
    const dialog = page.getByRole('dialog', { name: 'Read records again' });
    await dialog.getByLabel('From').fill('2026-01-01T00:00');
    expect(await accessibilityFaultsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Start re-sync' }).click();
    await mainOf(page)
      .getByText(/records since Jan 1, 2026|records since Dec 31, 2025/)
      .first()
      .waitFor();
    await mainOf(page)
      .getByText(/^Waiting\. Continues/)
      .waitFor();
    expect(await accessibilityFaultsOf(page)).toEqual([]);
    await mainOf(page).getByRole('button', { name: 'Cancel the sync' }).click();
    await mainOf(page).getByText('Cancelled', { exact: true }).waitFor();
    shop.vendor.faults.switchOff();
    await page.close();
  });

  it('pauses and resumes a connection, and names what a disconnection loses', async () => {
    const page = await signIn(browser, service, 'editor', '/w/demo/connections');
    await mainOf(page)
      .getByRole('link', { name: /Fake Shop/ })
      .click();
    await mainOf(page).getByRole('button', { name: 'Pause' }).click();
    await mainOf(page).getByText('Scheduled syncs are paused.').waitFor();
    await page.goto(`${service.url}/w/demo/connections?status=paused`);
    await mainOf(page)
      .getByRole('link', { name: /Fake Shop/ })
      .click();
    await mainOf(page).getByRole('button', { name: 'Resume' }).click();
    await mainOf(page).getByRole('button', { name: 'Pause' }).waitFor();
    await mainOf(page).getByRole('button', { name: 'Disconnect' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.innerText()).toContain('the syncs of 3 taps: addresses, customers, orders');
    expect(await accessibilityFaultsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.close();
  });

  it('sends at most 3 requests for each screen', async () => {
    const page = await signIn(browser, service, 'owner', '/');
    let sent = 0;
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.startsWith('/graphql') && request.method() === 'POST') sent += 1;
    });
    for (const section of ['Connections', 'Tables', 'Quality', 'Ingest', 'Catalog', 'Settings', 'Home']) {
      sent = 0;
      await page.getByRole('link', { name: section, exact: true }).click();
      await mainOf(page).getByRole('heading', { level: 1, name: section }).waitFor();
      await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' });
      expect([section, sent <= 3]).toEqual([section, true]);
    }
    await page.close();
  });

  it('offers a viewer no action that the service would reject', async () => {
    const page = await signIn(browser, service, 'viewer', '/w/demo/connections');
    await mainOf(page)
      .getByRole('link', { name: /Fake Shop/ })
      .click();
    await page.getByText('The vendor accepts the credentials').waitFor();
    expect(await mainOf(page).getByRole('button').allInnerTexts()).toEqual([]);
    await page.close();
  });

  it('has no serious accessibility fault on its screens in either theme', async () => {
    const paths = ['', '/connections', '/tables', '/catalog', '/catalog/github', '/catalog/fake-shop'];
    await expectAccessible(
      browser,
      service,
      paths.map((path) => `/w/demo${path}`),
    );
  });

  it('can be used with the keyboard alone', async () => {
    const page = await browser.openPage();
    await page.goto(service.url);
    await page.getByRole('button', { name: /owner/i }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('navigation', { name: 'Sections' }).waitFor();
    const catalog = page.getByRole('link', { name: 'Catalog', exact: true });
    while (!(await catalog.evaluate((link) => link === document.activeElement))) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await mainOf(page).getByRole('heading', { name: 'Catalog' }).waitFor();
    await page.close();
  });
});

describe('demo sign-ins', () => {
  const requestToken = (headers: Record<string, string>) =>
    service.request('/console/demo-tokens/owner', { method: 'POST', headers });

  it('are rejected for requests from another site or through a proxy', async () => {
    const foreign = { 'sec-fetch-site': 'cross-site', 'x-forwarded-for': '203.0.113.7' };
    for (const [name, value] of Object.entries(foreign))
      expect(await requestToken({ [name]: value })).toMatchObject({ status: 403 });
    expect(await requestToken({})).toMatchObject({ status: 200 });
  });
});

describe('the pages of the console', () => {
  it('allow only files and requests of the own origin', async () => {
    const { headers, text } = await service.request('/');
    const policy = headers.get('content-security-policy') as string;
    expect(policy).not.toContain('unsafe');
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    const [, script] = /src="(\/assets\/[^"]+\.js)"/.exec(text) as RegExpExecArray;
    const asset = await service.request(script as string);
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });
});
