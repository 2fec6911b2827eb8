import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { clientFor } from '../service/callers.js';
import type { Client } from '../service/service.js';
import { addressOf, aProcess, type TestProcess } from './test-process.js';

/** Several processes of the service on one database and one folder. Tests can kill them at any time. */
export interface ServiceFleet {
  readonly dataDir: string;
  /** Repeats a call at the next process until a process responds. */
  call<Result>(work: (client: Client) => Promise<Result>): Promise<Result>;
  /** Indexes of the processes that accept requests. */
  running(): number[];
  replace(nth: number): Promise<void>;
  close(): Promise<void>;
}

const MAX_STARTS = 20;

export async function aServiceFleet(size: number, env: Record<string, string>): Promise<ServiceFleet> {
  const dataDir = await mkdtemp(join(tmpdir(), 'taproot-fleet-'));
  const settings = {
    ...{ DATA_DIR: dataDir, EGRESS_ALLOW: '127.0.0.0/8', RATE_LIMITS: 'off', INITIAL_SYNC: 'off' },
    ...{ LOG_LEVEL: 'fatal', ...env },
  };
  const members: { process: TestProcess; url?: string }[] = [];
  let isClosed = false;
  /** Repeats the start if the process ends early, for example because PostgreSQL is restarting. */
  const start = async (nth: number): Promise<void> => {
    for (let attempt = 1; ; attempt++) {
      const member: (typeof members)[number] = { process: aProcess(settings) };
      members[nth] = member;
      try {
        member.url = await addressOf(member.process);
        return;
      } catch (error) {
        if (isClosed || attempt === MAX_STARTS) throw error;
      }
    }
  };
  const end = async (nth: number): Promise<void> => {
    const member = members[nth] as (typeof members)[number];
    const { process } = member;
    delete member.url;
    process.child.kill('SIGKILL');
    await process.ends();
  };
  await start(0); // The first process migrates the database.
  await Promise.all(Array.from({ length: size - 1 }, (_, at) => start(at + 1)));
  return {
    dataDir,
    async call(work) {
      for (let attempt = 0; ; attempt++) {
        const url = members[attempt % size]?.url;
        try {
          if (url) return await work(clientFor({ url, dataDir }, 'owner@demo.test'));
        } catch (error) {
          if (attempt > 300) throw error;
        }
        await sleep(100);
      }
    },
    running: () => members.flatMap(({ url }, nth) => (url ? [nth] : [])),
    replace: (nth) => end(nth).then(() => start(nth)),
    async close() {
      isClosed = true;
      await Promise.all(members.map((_, nth) => end(nth)));
      await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
