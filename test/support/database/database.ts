import { randomUUID } from 'node:crypto';
import { deriveRuntimeRole } from '../../../src/database/runtime-role.js';
import { closeKeptOrms } from './kept-orms.js';
import { endOwnerSession, keepOwnerSession, withOwnerSession } from './owner-sessions.js';

/** The template database already contains the bundled catalog. Loading it again would take a second. */
export const CLONED_DATABASE_ENV = { SHIPPED_CATALOG: 'off' };

/**
 * Waits up to half a second until no session uses the database, because `end()` of a `pg` pool resolves before its
 * sessions end. The deletion of the database would end such a session and cause an unhandled error.
 */
const AWAIT_SESSIONS = `do $$ begin
  for attempt in 1..50 loop
    exit when not exists (select from pg_stat_activity where datname = '$NAME');
    perform pg_sleep(0.01), pg_stat_clear_snapshot();
  end loop;
end $$`;

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/**
 * Copies the template database, which contains all migrations and the bundled catalog. With `empty`, the database has
 * no tables.
 */
export async function aDatabase({ empty = false } = {}): Promise<TestDatabase> {
  const template = new URL(process.env.TEST_TEMPLATE_URL as string);
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const source = empty ? 'template0' : template.pathname.slice(1);
  // `file_copy` takes half the CPU time of the default strategy, which writes all blocks to the write-ahead log.
  await administer(`create database ${name} template ${source} strategy file_copy`);
  const url = new URL(template);
  url.pathname = name;
  // On a busy machine, connecting can take longer than the default timeout of the service.
  url.searchParams.set('connect_timeout', '60');
  keepOwnerSession(url.href);
  const drop = async (): Promise<void> => {
    await endOwnerSession(url.href);
    await closeKeptOrms(name);
    await administer(AWAIT_SESSIONS.replace('$NAME', name));
    await administer(`drop database ${name} with (force)`);
    await administer(`drop role if exists "${deriveRuntimeRole(url.href)}"`);
  };
  return { url: url.href, drop };
}

function administer(statement: string): Promise<unknown> {
  const url = new URL(process.env.TEST_TEMPLATE_URL as string);
  url.pathname = 'postgres';
  keepOwnerSession(url.href);
  return withOwnerSession(url.href, (client) => client.query(statement));
}
