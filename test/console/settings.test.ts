import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { aBrowser, accessibilityFaultsOf } from '../support/browser.js';
import { expectAccessible, mainOf, signIn } from '../support/console.js';
import { queryField } from '../support/service/callers.js';
import { signInAs } from '../support/service/invitations.js';
import { aService } from '../support/service/service.js';

const service = aService();
const browser = aBrowser();
const TABS = ['people', 'roles', 'keys', 'redirects', 'audit', 'requests'];

const openTab = (tab: string, role: 'owner' | 'operator' | 'viewer' = 'owner'): Promise<Page> =>
  signIn(browser, service, role, `/w/demo/settings?tab=${tab}`);

describe('the settings', () => {
  it('invite a person, give a role, and suspend the person', async () => {
    const email = 'nina@example.test';
    const page = await openTab('people');
    const main = mainOf(page);
    await main.getByRole('button', { name: 'Invite a person' }).click();
    await page.getByRole('textbox', { name: 'Email address' }).fill(email);
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByText(`${email} is invited`).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    const row = main.getByRole('row', { name: new RegExp(email) });
    await row.getByText('Invited').waitFor();

    await row.getByRole('button', { name: 'Roles' }).click();
    await page
      .getByRole('dialog')
      .getByLabel(/^editor/)
      .check();
    expect(await accessibilityFaultsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save roles' }).click();
    await row.getByText('editor').waitFor();
    expect(await signInAs(service, email)).toBe(200);

    await page.reload();
    await row.getByRole('button', { name: 'Suspend' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
    await row.getByText('Suspended').waitFor();
    expect(await signInAs(service, email)).toBe(403);
    await page.close();
  });

  it('create an API key that is shown once, and revoke it', async () => {
    const page = await openTab('keys');
    const main = mainOf(page);
    await main.getByRole('button', { name: 'Create an API key' }).click();
    await page.getByLabel('Name').fill('export');
    await page.getByLabel('catalog:read').check();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const key = await page.getByRole('dialog').locator('pre').innerText();
    const { status } = await service.request('/api/catalog/tables', { headers: { authorization: `Bearer ${key}` } });
    expect(status).toBe(200);
    await page.getByRole('button', { name: 'Close' }).click();
    const row = main.getByRole('row', { name: /export/ });
    await row.getByText('Live').waitFor();
    expect(await page.content()).not.toContain(key);

    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Revoke the key' }).click();
    await row.getByText('Revoked').waitFor();
    await page.close();
  });

  it('create a role that inherits from another', async () => {
    const page = await openTab('roles');
    await mainOf(page).getByRole('button', { name: 'Create a role' }).click();
    await page.getByLabel('Name').fill('analyst');
    await page.getByLabel('Inherits from').selectOption({ label: 'viewer' });
    await page.getByLabel('contracts:write').check();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await mainOf(page)
      .getByRole('row', { name: /analyst.*contracts:write.*viewer/ })
      .waitFor();
    await page.close();
  });

  it('move a connector request on the board, with a note', async () => {
    const create = 'mutation { createConnectorRequest(connectorName: "Xylo CRM") { id } }';
    const { id } = await queryField(service.as('editor'), create);
    const page = await openTab('requests', 'operator');
    const column = (name: string) => mainOf(page).getByRole('region', { name, exact: true });
    await column('Pending').getByRole('button', { name: 'Review Xylo CRM' }).click();
    await page.getByRole('button', { name: 'Move' }).click();
    await column('Under review').getByRole('button', { name: 'Decline Xylo CRM' }).click();
    await page.getByLabel(/^Note/).fill('The vendor has no API.');
    await page.getByRole('button', { name: 'Move' }).click();
    await column('Declined').getByText('The vendor has no API.').waitFor();
    const read = 'query ($id: Base62Id!) { connectorRequest(id: $id) { status } }';
    expect(await queryField(service.as('operator'), read, { id })).toEqual({ status: 'declined' });
    await page.close();
  });

  it('filter the audit trail by an action of the table, in the address', async () => {
    const create = 'mutation { createConnectorRequest(connectorName: "Zeta") { id } }';
    await service.as('editor').graphql(create);
    const page = await openTab('audit');
    const table = mainOf(page).getByRole('table', { name: 'Audit trail' });
    await table.getByRole('button', { name: 'connector_request.made' }).first().click();
    await page.waitForURL(/action=connector_request.made/);
    await table.getByRole('button', { name: 'role.made' }).waitFor({ state: 'detached' });
    const actions = await table.getByRole('rowheader').allInnerTexts();
    expect(new Set(actions)).toEqual(new Set(['connector_request.made']));
    await mainOf(page).getByRole('button', { name: 'Clear all' }).click();
    await page.waitForURL((url) => !url.search.includes('action='));
    await page.close();
  });

  it('add a redirect address, and show why an address is invalid', async () => {
    const page = await openTab('redirects');
    await page.getByLabel('New address').fill('http://example.test/done');
    await page.getByRole('button', { name: 'Add address' }).click();
    expect(await page.getByRole('alert').innerText()).toContain('Request');
    await page.getByLabel('New address').fill('https://example.test/done');
    await page.getByRole('button', { name: 'Add address' }).click();
    await mainOf(page).getByRole('button', { name: 'Remove https://example.test/done' }).waitFor();
    await page.close();
  });

  it('offer a viewer no tab and no action that the service would reject', async () => {
    const page = await openTab('people', 'viewer');
    await mainOf(page).getByRole('table', { name: 'People' }).waitFor();
    expect(await mainOf(page).getByRole('button').allInnerTexts()).toEqual([
      ...['People', 'Roles', 'Redirect addresses', 'Connector requests'],
    ]);
    await page.close();
  });

  it('have no serious accessibility fault in either theme', async () => {
    const paths = TABS.map((tab) => `/w/demo/settings?tab=${tab}`);
    await expectAccessible(browser, service, paths);
  });
});
