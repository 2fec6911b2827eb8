import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type RunningService, shutDown } from '../../../src/shutdown.js';

it('releases all resources if the ports cannot be closed while jobs still run', async () => {
  const released: string[] = [];
  const release = (name: string) => async () => released.push(name);
  const running = {
    servers: [],
    jobs: { stop: () => sleep(20) },
    changes: { close: () => Promise.reject(new Error('the feed cannot be closed')) },
    stopping: new AbortController(),
    releases: [() => Promise.reject(new Error('a second failure')), release('database')],
  } as unknown as RunningService;
  await expect(shutDown(running, 0)).rejects.toThrow('the feed cannot be closed');
  expect(released).toEqual(['database']);
});
