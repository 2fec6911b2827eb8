import type { MikroORM } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import { pino } from 'pino';
import { composeApp } from '../../src/compose-app.js';
import type { Services } from '../../src/compose-services.js';
import { createOrm } from '../../src/database/orm.js';
import { prepareRuntimeRole, resolveRuntimeLogin } from '../../src/database/runtime-role.js';
import { createHttpServer } from '../../src/http/http-server.js';
import type { EntityTables } from '../../src/kernel/entities/entity-tables.js';
import { Reader } from '../../src/kernel/reading/reader.js';
import { pooledConnection, ReaderFactory } from '../../src/kernel/reading/reader-factory.js';
import { Authenticator } from '../../src/tenancy/authentication/authenticator.js';
import { createLocalIssuer } from '../../src/tenancy/authentication/local-issuer.js';
import type { BenchDatabase } from '../support/bench-database.js';
import { type LoadFigures, type LoadProfile, type LoadTarget, measureLoad } from '../support/measure-load.js';
import { serveApp } from '../support/serve-app.js';
import { BASE_URL, benchServices } from './bench-service.js';
import { fillWorkspace } from './fill-workspace.js';
import { requireSameResponse } from './require-same-response.js';

/** Number of further workspaces, each with as many rows as the measured workspace. */
const OTHER_WORKSPACES = 20;

export interface RowSecurityFigures {
  readonly isolated: LoadFigures;
  readonly unrestricted: LoadFigures;
}

/** The readers use a role that bypasses the policies, and set no tenant. */
class OpenReaders extends ReaderFactory {
  constructor(
    private readonly all: EntityTables,
    private readonly owner: Pool,
  ) {
    super(all, owner);
  }

  override forTenant(tenantId: string): Reader {
    return new Reader(this.all, pooledConnection(this.owner), tenantId);
  }
}

/** Reads one row by id over REST, with two roles: the runtime role, and a role that bypasses row level security. */
export async function measureRowSecurity(
  { url, orm: owner, dataDir }: BenchDatabase,
  pace: LoadProfile,
): Promise<RowSecurityFigures> {
  const login = resolveRuntimeLogin(url, undefined);
  await prepareRuntimeRole(owner, login);
  const runtime = createOrm(login.url);
  try {
    const isolated = await benchServices(runtime, dataDir);
    const { key, id } = await fillWorkspace(isolated, 'isolated');
    for (let other = 0; other < OTHER_WORKSPACES; other++) await fillWorkspace(isolated, `other-${other}`);
    await owner.em.execute('analyze');
    const unrestricted = await withoutRowSecurity(owner, dataDir);
    const targets = {
      isolated: await targetOf(isolated, key, id),
      unrestricted: await targetOf(unrestricted, key, id),
    };
    const [one, other] = await Promise.all(Object.values(targets).map(textOf));
    requireSameResponse('one row', one as string, other as string);
    return await measureLoad(targets, pace);
  } finally {
    await runtime.close(true);
  }
}

async function withoutRowSecurity(owner: MikroORM, dataDir: string): Promise<Services> {
  const parts = await benchServices(owner, dataDir);
  const readers = new OpenReaders(parts.tables, await owner.em.getConnection().getNativeClient());
  const issuer = await createLocalIssuer(dataDir);
  return {
    ...parts,
    readers,
    authentication: new Authenticator({ ...parts, readers, issuer, baseDomain: 'localhost' }),
  };
}

async function targetOf(parts: Services, key: string, id: string): Promise<LoadTarget> {
  const app = await composeApp(parts, pino({ level: 'silent' }), () => BASE_URL);
  const origin = await serveApp(app, createHttpServer(app));
  return {
    name: 'one row',
    url: `${origin}/api/connector-requests/${id}`,
    headers: { authorization: `Bearer ${key}` },
  };
}

async function textOf({ url, headers = {} }: LoadTarget): Promise<string> {
  const response = await fetch(url, { headers });
  if (!response.ok) throw new Error(`${url} returned ${response.status}`);
  return response.text();
}
