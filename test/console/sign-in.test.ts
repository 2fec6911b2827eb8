import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aBrowser, accessibilityFaultsOf } from '../support/browser.js';
import { anIdentityProvider, RESOURCE } from '../support/identity/identity-provider.js';
import { createWorkspaceWithInvitations } from '../support/service/invited-workspace.js';
import { aService } from '../support/service/service.js';

const EMAIL = 'ada@acme.test';

/** Longer than the lifetime of the access tokens. */
const TWO_HOURS = 7_200_000;

const provider = await anIdentityProvider({ audience: RESOURCE, account: EMAIL });
const service = aService({ ...provider.settings, CONSOLE_CLIENT_ID: 'console' });
const browser = aBrowser();

beforeAll(async () => {
  await provider.registerConsole('console', service.url);
  await createWorkspaceWithInvitations(service, 'acme', { [EMAIL]: 'editor' });
});
afterAll(() => provider.close());

async function signInAt(page: Page, path: string): Promise<void> {
  await page.goto(service.url + path);
  await page.getByRole('button', { name: /^Continue to/ }).click();
  await page.getByRole('navigation', { name: 'Sections' }).waitFor();
}

function recordGrants(page: Page): string[] {
  const grants: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url() === `${provider.issuer}/token`)
      grants.push(new URLSearchParams(request.postData() ?? '').get('grant_type') as string);
  });
  return grants;
}

describe('the sign-in with an OpenID provider', () => {
  it('returns to the requested page, stores no token, and renews expired tokens', async () => {
    const page = await browser.openPage();
    await page.clock.install();
    const grants = recordGrants(page);
    await page.goto(`${service.url}/w/acme/catalog?search=git`);
    await page.getByLabel('Workspace').waitFor();
    expect(await accessibilityFaultsOf(page)).toEqual([]);
    await signInAt(page, '/w/acme/catalog?search=git');
    await page.getByRole('link', { name: /GitHub/ }).waitFor();
    expect(new URL(page.url()).search).toBe('?search=git');
    const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    expect(stored).not.toMatch(/token|eyJ/);

    await page.clock.fastForward(TWO_HOURS);
    await page.getByRole('link', { name: 'Tables', exact: true }).click();
    await page.getByText('No tables yet').waitFor();
    expect(grants).toEqual(['authorization_code', 'refresh_token']);
    await page.close();
  });

  it('asks to sign in again for the same page when a token cannot be renewed', async () => {
    const page = await browser.openPage({ expectedErrors: /status of 400/ });
    await page.clock.install();
    await signInAt(page, '/w/acme/catalog');
    provider.revokeRefreshTokens();
    await page.clock.fastForward(TWO_HOURS);
    await page.getByRole('link', { name: 'Connections', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.waitFor();
    expect(await accessibilityFaultsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Sign in again' }).click();
    await page.getByText('No connections yet').waitFor();
    expect(new URL(page.url()).pathname).toBe('/w/acme/connections');
    await page.close();
  });

  it('ends with a sign-out at the provider', async () => {
    const page = await browser.openPage();
    await signInAt(page, '/w/acme');
    const before = provider.countSessions();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: /^Yes/ }).click();
    await page.getByRole('heading', { name: 'Sign in to Taproot' }).waitFor();
    expect(provider.countSessions()).toBe(before - 1);
    await page.close();
  });

  it('explains why a user cannot open a workspace', async () => {
    const page = await browser.openPage({ expectedErrors: /status of 403/ });
    await page.goto(`${service.url}/w/other`);
    await page.getByRole('button', { name: /^Continue to/ }).click();
    expect(await page.getByRole('alert').innerText()).toContain('member');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.close();
  });
});
