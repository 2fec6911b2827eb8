import { mkdirSync, rmdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { platform } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, chromium } from 'playwright-core';

/** An older lock belongs to a killed process, because unpacking takes only a few seconds. */
const LOCK_EXPIRES_MS = 120_000;

/** Launches a headless browser: on Linux the Chromium of the npm package, and on other systems the installed Chrome. */
export async function launchBrowser(): Promise<Browser> {
  if (platform !== 'linux') return chromium.launch({ channel: 'chrome' });
  const { default: packaged } = await import('@sparticuz/chromium');
  // The pages use no WebGL. An emulated graphics card would take 15 % of the CPU time.
  packaged.setGraphicsMode = false;
  // With `--single-process`, the browser ends when its first page is closed.
  const args = packaged.args.filter((arg) => arg !== '--single-process');
  return chromium.launch({ executablePath: await whileLocked(() => packaged.executablePath()), args });
}

/**
 * Runs `work` in one process at a time. Otherwise, a process could start a browser that another process is still
 * unpacking.
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
