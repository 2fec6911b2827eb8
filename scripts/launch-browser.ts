import { mkdirSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { platform } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, chromium } from 'playwright-core';

/** A headless Chromium: from the npm package on Linux, and the installed Chrome on other systems. */
export async function launchBrowser(): Promise<Browser> {
  if (platform !== 'linux') return chromium.launch({ channel: 'chrome' });
  const { default: packaged } = await import('@sparticuz/chromium');
  // A browser in a single process ends when its first page is closed.
  const args = packaged.args.filter((arg) => arg !== '--single-process');
  return chromium.launch({ executablePath: await whileLocked(() => packaged.executablePath()), args });
}

/** The first process unpacks the browser. Another process could start the incomplete file. */
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
