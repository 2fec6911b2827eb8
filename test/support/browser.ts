import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { launchBrowser } from '../../scripts/launch-browser.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const SERIOUS_IMPACTS = ['serious', 'critical'];

interface PageOptions {
  readonly colorScheme?: 'light' | 'dark';
  readonly width?: number;
  /** Matches console errors that do not fail the test. */
  readonly expectedErrors?: RegExp;
}

export interface TestBrowser {
  /** Opens a page with a new browser profile. An error in the page's console fails the test file. */
  openPage(options?: PageOptions): Promise<Page>;
}

export function aBrowser(): TestBrowser {
  let browser: Browser;
  const errors: string[] = [];
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    expect(errors).toEqual([]);
  });
  return {
    openPage: async ({ colorScheme = 'light', width = 1280, expectedErrors } = {}) => {
      const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } });
      page.on('console', (message) => {
        if (message.type() === 'error' && !expectedErrors?.test(message.text())) errors.push(message.text());
      });
      page.on('pageerror', (error) => errors.push(error.message));
      return page;
    },
  };
}

export async function accessibilityFaultsOf(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  // During a transition, axe measures intermediate colors.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const violations = await page.evaluate(async () => (await (globalThis as never as Axe).axe.run()).violations);
  return violations
    .filter(({ impact }) => SERIOUS_IMPACTS.includes(impact))
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

interface Axe {
  axe: { run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> };
}
