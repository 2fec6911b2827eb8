import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DestinationStream, pino } from 'pino';
import { readConfig } from '../../../src/config.js';
import { type Service, startService } from '../../../src/service.js';
import { aDatabase, CLONED_DATABASE_ENV, type TestDatabase } from '../database/database.js';

export interface RunningService {
  readonly service: Service;
  readonly database: TestDatabase;
  readonly dataDir: string;
}

export interface RunningServiceOptions {
  readonly env?: Record<string, string> | undefined;
  readonly log?: DestinationStream | undefined;
  /** Maps the URL of the database to the URL that the service uses. */
  readonly through?: ((databaseUrl: string) => string) | undefined;
}

export async function startRunningService({
  env = {},
  log,
  through = (databaseUrl) => databaseUrl,
}: RunningServiceOptions = {}): Promise<RunningService> {
  const database = await aDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'taproot-service-'));
  const settings = {
    PORT: '0',
    DATABASE_URL: through(database.url),
    DATA_DIR: dataDir,
    RATE_LIMITS: 'off',
    INITIAL_SYNC: 'off',
    JOBS: 'off',
    ...CLONED_DATABASE_ENV,
    ...env,
  };
  const logger = log ? pino({ level: 'trace' }, log) : pino({ level: 'silent' });
  const service = await startService(readConfig(settings), logger);
  return { service, database, dataDir };
}

export async function stopRunningService({ service, database, dataDir }: RunningService): Promise<void> {
  await service.stop();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
}
