import { randomUUID } from 'node:crypto';
import Koa, { type Context } from 'koa';
import type pg from 'pg';
import { BASE_URL } from './bench-service.js';

/** A plain Koa app that sends a response of the service from memory. */
export function bareKoaApp(bytes: Buffer): Koa {
  const app = newKoa();
  app.use((ctx) => {
    ctx.type = 'application/json';
    ctx.body = bytes;
  });
  return app;
}

/** The first column is the JSON of `data`. For a page, the second column is the total number of items. */
export interface BaselineQuery {
  readonly name: string;
  readonly text: string;
  readonly values: (ctx: Context) => unknown[];
}

const AS_TEXT = { getTypeParser: () => (text: string) => text };

/** Runs one prepared statement, and sends PostgreSQL's JSON text with a new request id. */
export function oneStatementApp(pool: pg.Pool, { name, text, values }: BaselineQuery): Koa {
  const app = newKoa();
  app.use(async (ctx) => {
    const own = values(ctx);
    const { rows } = await pool.query({ name, text, values: own, rowMode: 'array', types: AS_TEXT } as never);
    const [data, total] = rows[0] as unknown as [string, string?];
    const meta = `"meta":{"requestId":"${randomUUID()}","totalCount":${total ?? null}}`;
    ctx.type = 'application/json';
    ctx.body = `{"data":${data},${meta}${total === undefined ? '' : links(ctx, own as number[], Number(total))}}`;
  });
  return app;
}

/** Logs no errors, because the benchmark disconnects clients during responses. */
function newKoa(): Koa {
  const app = new Koa();
  app.silent = true;
  return app;
}

function links(ctx: Context, [limit = 0, offset = 0]: number[], total: number): string {
  const search = typeof ctx.query.search === 'string' ? `search=${encodeURIComponent(ctx.query.search)}&` : '';
  const link = (to: number): string => `"${BASE_URL}${ctx.path}?${search}limit=${limit}&offset=${to}"`;
  const last = Math.max(0, Math.ceil(total / limit) - 1) * limit;
  const next = offset + limit < total ? link(offset + limit) : null;
  const prev = offset > 0 ? link(Math.max(0, offset - limit)) : null;
  return `,"links":{"first":${link(0)},"last":${link(last)},"next":${next},"prev":${prev}}`;
}
