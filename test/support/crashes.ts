import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { aDatabase } from './database.js';
import { somebody } from './people.js';
import { addressOf, aProcess } from './process.js';
import type { Client, Reply } from './service.js';

interface Crashes {
  /** How often the service is killed. */
  readonly times: number;
  /** Numbers from 0 up to 1 that say when. */
  readonly random: () => number;
  /** Sends a request that bears this key. */
  readonly send: (client: Client, key: string) => Promise<Reply>;
}

export interface Aftermath {
  /** All that was received for each key. */
  readonly replies: ReadonlyMap<string, readonly Reply[]>;
  /** Requests that got no reply. */
  readonly lost: number;
}

const CLIENTS = 6;
/** Each request is sent again once it was answered. */
const REPLIES = 2;
const MOST_BETWEEN = 20;
const LONGEST_PAUSE = 30;

/**
 * Clients of a service that is killed again and again, as whose owner they insist on an answer: what got none is sent again
 * under its key until it does. `look` is shown the database in the end.
 */
export async function acrossCrashes(
  { times, random, send }: Crashes,
  look: (service: { databaseUrl: string }, aftermath: Aftermath) => Promise<void>,
): Promise<void> {
  const database = await aDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'taproot-killed-'));
  const env = { DATABASE_URL: database.url, DATA_DIR: dataDir, RATE_LIMITS: 'off', LOG_LEVEL: 'silent' };
  let running = aProcess(env);
  const service = { url: await addressOf(running), databaseUrl: database.url, dataDir };
  const client = somebody(service, 'owner@demo.test');
  const replies = new Map<string, Reply[]>();
  let lost = 0;
  let answered = 0;
  let isOver = false;

  const insist = async (key: string): Promise<void> => {
    const received: Reply[] = [];
    replies.set(key, received);
    while (received.length < REPLIES) {
      const reply = await send(client, key).catch(() => undefined);
      if (reply) {
        received.push(reply);
        answered += 1;
      } else {
        lost += 1;
        await sleep(20);
      }
    }
  };
  const clients = Array.from({ length: CLIENTS }, async (_, nth) => {
    for (let request = 0; !isOver; request++) await insist(`key-${nth}-${request}`);
  });

  try {
    for (let time = 0; time < times; time++) {
      const until = answered + 1 + Math.floor(random() * MOST_BETWEEN);
      while (answered < until) await sleep(1);
      await sleep(random() * LONGEST_PAUSE);
      running.child.kill('SIGKILL');
      await running.ends();
      running = aProcess(env);
      service.url = await addressOf(running);
    }
    isOver = true;
    await Promise.all(clients);
    await look(service, { replies, lost });
  } finally {
    isOver = true;
    running.child.kill('SIGKILL');
    await running.ends();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
