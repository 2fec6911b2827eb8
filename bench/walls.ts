import { tmpdir } from 'node:os';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import { pino } from 'pino';
import { createHttpServer } from '../src/http-server.js';
import { Readers } from '../src/kernel/readers.js';
import { Reader } from '../src/kernel/reading.js';
import type { Tables } from '../src/kernel/tables.js';
import { createOrm } from '../src/orm.js';
import { prepareRuntimeRole, runtimeLogin } from '../src/runtime-role.js';
import { composeApp, type Parts } from '../src/service.js';
import { Authentication } from '../src/tenancy/authenticate.js';
import { localIssuer } from '../src/tenancy/local-issuer.js';
import type { BenchDatabase } from './database.js';
import { type Figures, measure, type Pace, type Target } from './measure.js';
import { BASE_URL, productParts } from './product.js';
import { requireSameAnswer } from './same-answer.js';
import { serve } from './serving.js';
import { fillWorkspace } from './workspace.js';

/** Workspaces beside the one that is read, each with as many rows. */
const OTHERS = 20;

export interface WallFigures {
  readonly walled: Figures;
  readonly open: Figures;
}

/** Reads of a role that no policy holds, without naming a tenant to the database. */
class OpenReaders extends Readers {
  constructor(
    private readonly all: Tables,
    private readonly owner: Pool,
  ) {
    super(all, owner);
  }

  override ofTenant(tenantId: string): Reader {
    return new Reader(this.all, this.owner, tenantId);
  }
}

/**
 * What row level security and the transaction around each statement cost: one row by id over REST with an API key, as the
 * service does it, and beside it the same by a role that bypasses the policies, with the application's condition alone.
 */
export async function measureWalls({ url, orm: owner }: BenchDatabase, pace: Pace): Promise<WallFigures> {
  const login = runtimeLogin(url, undefined);
  await prepareRuntimeRole(owner, login);
  const runtime = createOrm(login.url);
  try {
    const walled = await productParts(runtime);
    const { key, id } = await fillWorkspace(walled, 'walled');
    for (let other = 0; other < OTHERS; other++) await fillWorkspace(walled, `other-${other}`);
    await owner.em.execute('analyze');
    const open = await withoutWalls(owner);
    const targets = { walled: await targetOf(walled, key, id), open: await targetOf(open, key, id) };
    const [one, other] = await Promise.all(Object.values(targets).map(textOf));
    requireSameAnswer('one row', one as string, other as string);
    return await measure(targets, pace);
  } finally {
    await runtime.close(true);
  }
}

async function withoutWalls(owner: MikroORM): Promise<Parts> {
  const parts = await productParts(owner);
  const readers = new OpenReaders(parts.tables, await owner.em.getConnection().getNativeClient());
  const issuer = await localIssuer(tmpdir());
  return {
    ...parts,
    readers,
    authentication: new Authentication({ ...parts, readers, issuer, baseDomain: 'localhost' }),
  };
}

async function targetOf(parts: Parts, key: string, id: string): Promise<Target> {
  const app = await composeApp(parts, pino({ level: 'silent' }), () => BASE_URL);
  const origin = await serve(app, createHttpServer(app));
  return {
    name: 'one row',
    url: `${origin}/api/connector-requests/${id}`,
    headers: { authorization: `Bearer ${key}` },
  };
}

async function textOf({ url, headers = {} }: Target): Promise<string> {
  const response = await fetch(url, { headers });
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  return response.text();
}
