import { mkdirSync, rmdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { platform } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, chromium } from 'playwright-core';

/** Age from which a lock counts as abandoned by a killed process. Unpacking takes only a few seconds. */
const LOCK_EXPIRES_MS = 120_000;

/** Launches a headless browser: on Linux the Chromium of the npm package, and on other systems the installed Chrome. */
export async function launchBrowser(): Promise<Browser> {
  if (platform !== 'linux') return chromium.launch({ channel: 'chrome' });
  const { default: packaged } = await import('@sparticuz/chromium');
  // A browser in a single process ends when its first page is closed.
  // Pages without WebGL need no emulated graphics card, which takes 15 % of the CPU time.
  packaged.setGraphicsMode = false;
  const args = packaged.args.filter((arg) => arg !== '--single-process');
  return chromium.launch({ executablePath: await whileLocked(() => packaged.executablePath()), args });
}

/**
 * Runs `work` while no other process does. The first process unpacks the browser, and another process could start the
 * incomplete file.
 */
async function whileLocked<Result>(work: () => Promise<Result>): Promise<Result> {
  const lock = join(tmpdir(), 'unpack-chromium.lock');
  while (!takeLock(lock)) {
    if (isExpired(lock)) rmdirSync(lock);
    await sleep(100);
  }
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

function isExpired(folder: string): boolean {
  const createdAt = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
  return Date.now() - createdAt > LOCK_EXPIRES_MS;
}
