import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { BuiltInRole } from '../../src/tenancy/permissions.js';
import { accessibilityFaultsOf, type TestBrowser } from './browser.js';

type Options = Parameters<TestBrowser['openPage']>[0];

export async function signIn(
  browser: TestBrowser,
  service: { url: string },
  role: BuiltInRole,
  path = '/w/demo',
  options?: Options,
): Promise<Page> {
  const page = await browser.openPage(options);
  await page.goto(`${service.url}${path}`);
  await page.getByRole('button', { name: new RegExp(role, 'i') }).click();
  await page.getByRole('navigation', { name: 'Sections' }).waitFor();
  return page;
}

export function mainOf(page: Page): Locator {
  return page.getByRole('main');
}

const NARROW_WIDTH = 390;

/** Expects that no page scrolls sideways on a narrow screen. */
export async function expectNarrow(
  browser: TestBrowser,
  service: { url: string },
  paths: readonly string[],
): Promise<void> {
  const page = await signIn(browser, service, 'owner', '/w/demo', { width: NARROW_WIDTH });
  for (const path of paths) {
    await openScreen(page, service, path);
    const width = await page.evaluate(() => (globalThis as never as Dom).document.documentElement.scrollWidth);
    expect([path, width]).toEqual([path, NARROW_WIDTH]);
  }
  await page.close();
}

interface Dom {
  document: { documentElement: { scrollWidth: number } };
}

async function openScreen(page: Page, service: { url: string }, path: string): Promise<void> {
  await page.goto(`${service.url}${path}`);
  await mainOf(page).getByRole('heading', { level: 1 }).waitFor();
  await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' });
}

export async function expectAccessible(
  browser: TestBrowser,
  service: { url: string },
  paths: readonly string[],
): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await signIn(browser, service, 'owner', '/w/demo', { colorScheme });
    expect(await page.locator('html').getAttribute('data-theme')).toBe(colorScheme);
    for (const path of paths) {
      await openScreen(page, service, path);
      expect([path, await accessibilityFaultsOf(page)]).toEqual([path, []]);
    }
    await page.close();
  }
}
