import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { platform } from 'node:process';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Impacts that a screen may not have. */
const SERIOUS_IMPACTS = ['serious', 'critical'];

export interface TestBrowser {
  /** A page of a new profile. The test fails if the page logs an error. */
  openPage(options?: { colorScheme?: 'light' | 'dark' }): Promise<Page>;
}

/**
 * A headless Chromium for one test file: from the package on Linux, and the installed Chrome on other systems.
 */
export function aBrowser(): TestBrowser {
  let browser: Browser;
  const errors: string[] = [];
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    expect(errors).toEqual([]);
  });
  return {
    openPage: async ({ colorScheme = 'light' } = {}) => {
      const page = await browser.newPage({ colorScheme, viewport: { width: 1280, height: 900 } });
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
      page.on('pageerror', (error) => errors.push(error.message));
      return page;
    },
  };
}

async function launch(): Promise<Browser> {
  if (platform !== 'linux') return chromium.launch({ channel: 'chrome' });
  const { default: packaged } = await import('@sparticuz/chromium');
  const args = packaged.args.filter((arg) => arg !== '--single-process'); // such a browser ends with its first page
  return chromium.launch({ executablePath: await packaged.executablePath(), args });
}

/** Serious and critical faults that axe finds on a page. */
export async function accessibilityFaultsOf(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const violations = await page.evaluate(async () => (await (globalThis as never as Axe).axe.run()).violations);
  return violations
    .filter(({ impact }) => SERIOUS_IMPACTS.includes(impact))
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

interface Axe {
  axe: { run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> };
}
