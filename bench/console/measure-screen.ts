import type { Page, Request } from 'playwright-core';
import { medianOf } from '../support/median-of.js';

const LOADS = 5;

/** Time without a request or response after which a screen counts as loaded. */
const QUIET_MS = 500;

interface ScreenFigures {
  /** Largest number of API requests of one load. */
  readonly requests: number;
  /** Sum of the response times of one load (median of all loads). */
  readonly milliseconds: number;
  readonly slowest: string;
}

/** The first load fills caches and does not count. */
export async function measureScreen(page: Page, url: string): Promise<ScreenFigures> {
  await load(page, url);
  const loads: (readonly Request[])[] = [];
  for (let nth = 0; nth < LOADS; nth++) loads.push(await load(page, url));
  const sums = loads.map((requests) => requests.reduce((sum, request) => sum + responseMs(request), 0));
  const [slowest] = loads.flat().sort((one, other) => responseMs(other) - responseMs(one));
  return {
    requests: Math.max(...loads.map(({ length }) => length)),
    milliseconds: medianOf(sums),
    slowest: slowest ? operationOf(slowest) : '–',
  };
}

async function load(page: Page, url: string): Promise<readonly Request[]> {
  const requests: Request[] = [];
  const note = (request: Request): void => {
    if (request.method() === 'POST' && new URL(request.url()).pathname === '/graphql') requests.push(request);
  };
  page.on('requestfinished', note);
  await page.goto(url);
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
  await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' });
  await page.waitForTimeout(QUIET_MS);
  page.off('requestfinished', note);
  return requests;
}

function responseMs(request: Request): number {
  const { requestStart, responseStart } = request.timing();
  return responseStart - requestStart;
}

function operationOf(request: Request): string {
  const { operationName } = request.postDataJSON() as { operationName?: string };
  return `${operationName ?? 'unnamed'}, ${responseMs(request).toFixed(0)} ms`;
}
