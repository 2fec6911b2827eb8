import { mkdirSync, readFileSync, rmdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { platform } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Impacts that a screen may not have. */
const SERIOUS_IMPACTS = ['serious', 'critical'];

interface PageOptions {
  readonly colorScheme?: 'light' | 'dark';
  readonly width?: number;
  /** Errors that the page logs as intended, such as a response with an error status. */
  readonly expectedErrors?: RegExp;
}

export interface TestBrowser {
  /** A page of a new profile. The test fails if the page logs an error. */
  openPage(options?: PageOptions): Promise<Page>;
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

async function launch(): Promise<Browser> {
  if (platform !== 'linux') return chromium.launch({ channel: 'chrome' });
  const { default: packaged } = await import('@sparticuz/chromium');
  const args = packaged.args.filter((arg) => arg !== '--single-process'); // such a browser ends with its first page
  return chromium.launch({ executablePath: await whileLocked(() => packaged.executablePath()), args });
}

/** The first process of a test run unpacks the browser. Another process could start the incomplete file. */
async function whileLocked<Result>(work: () => Promise<Result>): Promise<Result> {
  const lock = join(tmpdir(), 'unpack-chromium.lock');
  while (!takeLock(lock)) await sleep(100);
  try {
    return await work();
  } finally {
    rmdirSync(lock);
  }
}

function takeLock(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
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
