import { afterAll, beforeAll } from '@jest/globals';
import { pino } from 'pino';
import { readConfig } from '../../src/config.js';
import { type Service, startService } from '../../src/service.js';
import { aDatabase, type TestDatabase } from './database.js';

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into any reply
  body: any;
}

export interface TestService {
  url: string;
  databaseUrl: string;
  request(path: string, init?: RequestInit): Promise<Reply>;
  graphql(query: string, variables?: object): Promise<Reply>;
}

/** A running service on a database of its own, for one test file. */
export function aService(env: Record<string, string> = {}): TestService {
  let service: Service;
  let database: TestDatabase;
  const test = {} as TestService;
  beforeAll(async () => {
    database = await aDatabase();
    const config = readConfig({ PORT: '0', DATABASE_URL: database.url, LOG_LEVEL: 'silent', ...env });
    service = await startService(config, pino({ level: 'silent' }));
    Object.assign(test, { url: service.url, databaseUrl: database.url });
  });
  afterAll(async () => {
    await service.stop();
    await database.drop();
  });
  test.request = async (path, init) => {
    const response = await fetch(test.url + path, init);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') && text;
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
  };
  test.graphql = (query, variables) =>
    test.request('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
  return test;
}
