import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { aDatabase, CLONED_DATABASE_ENV } from '../database/database.js';
import { clientFor } from '../service/callers.js';
import type { Client, Reply } from '../service/service.js';
import { addressOf, aProcess } from './test-process.js';

interface Crashes {
  /** How often the service is killed. */
  readonly times: number;
  /** Numbers from 0 up to 1 that say when. */
  readonly random: () => number;
  /** Sends a request that bears this key. */
  readonly send: (client: Client, key: string) => Promise<Reply>;
}

export interface CrashReport {
  /** All that was received for each key. */
  readonly replies: ReadonlyMap<string, readonly Reply[]>;
  /** Requests that got no reply. */
  readonly lost: number;
}

const CLIENTS = 8;
const MAX_REQUESTS_BETWEEN_CRASHES = 20;
const MAX_PAUSE_MS = 30;

/**
 * Clients of a service that is killed again and again, as whose owner they insist on an answer: what got none is sent again
 * under its key until it does, and once the service is left alone, all is sent again. `look` is shown the database then.
 */
export async function runAcrossCrashes(
  { times, random, send }: Crashes,
  look: (service: { databaseUrl: string }, aftermath: CrashReport) => Promise<void>,
): Promise<void> {
  const database = await aDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'taproot-killed-'));
  const env = {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'silent',
    ...CLONED_DATABASE_ENV,
  };
  let running = aProcess(env);
  const service = { url: await addressOf(running), databaseUrl: database.url, dataDir };
  const client = clientFor(service, 'owner@demo.test');
  const replies = new Map<string, Reply[]>();
  let lost = 0;
  let answered = 0;
  let isOver = false;
  let hasFailed = false;

  const insist = async (key: string): Promise<void> => {
    const received: Reply[] = [];
    replies.set(key, received);
    while (received.length === 0 && !hasFailed) {
      const reply = await send(client, key).catch(unlessLost);
      if (reply) {
        received.push(reply);
        answered += 1;
      } else {
        lost += 1;
        await sleep(20);
      }
    }
  };
  const clients = Promise.all(
    Array.from({ length: CLIENTS }, async (_, nth) => {
      for (let request = 0; !isOver && !hasFailed; request++) await insist(`key-${nth}-${request}`);
    }),
  );
  clients.catch(() => (hasFailed = true));

  try {
    for (let time = 0; time < times && !hasFailed; time++) {
      const until = answered + 1 + Math.floor(random() * MAX_REQUESTS_BETWEEN_CRASHES);
      while (answered < until && !hasFailed) await sleep(1);
      await sleep(random() * MAX_PAUSE_MS);
      running.child.kill('SIGKILL');
      await running.ends();
      running = aProcess(env);
      service.url = await addressOf(running);
    }
    isOver = true;
    await clients;
    for (const [key, received] of replies) received.push(await send(client, key));
    await look(service, { replies, lost });
  } finally {
    hasFailed = true; // whatever it was that ended this: nobody is left waiting
    running.child.kill('SIGKILL');
    await running.ends();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** What `fetch` throws where the connection breaks; anything else is a reply that cannot be read. */
function unlessLost(error: Error): undefined {
  if (error.name !== 'TypeError') throw error; // by name: Jest's classes are not those of Node
}
