import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { aDatabase, CLONED_DATABASE_ENV } from '../database/database.js';
import { clientFor } from '../service/callers.js';
import type { Client, Reply } from '../service/service.js';
import { addressOf, aProcess } from './test-process.js';

interface Crashes {
  readonly times: number;
  /** Returns a number in [0, 1) that determines the time of a kill. */
  readonly random: () => number;
  /** Sends a request with `key` as its idempotency key. */
  readonly send: (client: Client, key: string) => Promise<Reply>;
}

export interface CrashReport {
  readonly replies: ReadonlyMap<string, readonly Reply[]>;
  /** Number of requests without a response. */
  readonly lost: number;
}

const CLIENTS = 8;
const MAX_REQUESTS_BETWEEN_CRASHES = 20;
const MAX_PAUSE_MS = 30;

/**
 * Runs clients while the test kills the service repeatedly. Each client resends a request with the same idempotency key
 * until it receives a response. After the last kill, the test sends every request again. Then `inspect` reads the
 * database.
 */
export async function runAcrossCrashes(
  { times, random, send }: Crashes,
  inspect: (service: { databaseUrl: string }, aftermath: CrashReport) => Promise<void>,
): Promise<void> {
  const database = await aDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'taproot-killed-'));
  const env = {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    RATE_LIMITS: 'off',
    INITIAL_SYNC: 'off',
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
    await inspect(service, { replies, lost });
  } finally {
    hasFailed = true; // Stops the clients after an error.
    running.child.kill('SIGKILL');
    await running.ends();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** `fetch` throws a TypeError if the connection breaks. Other errors mean an unreadable response. */
function unlessLost(error: Error): undefined {
  if (error.name !== 'TypeError') throw error;
}
