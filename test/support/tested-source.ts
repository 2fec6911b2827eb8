import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { StrategyDefinition, TapDefinition } from '../../src/catalog/definition.js';
import { Outbound } from '../../src/kernel/outbound.js';
import type { Connection } from '../../src/sources/connection.js';
import type { Finding } from '../../src/sources/finding.js';
import type { Session, SessionKeeper } from '../../src/sources/session.js';
import { type TestOptions, testCredential } from '../../src/sources/test-credential.js';
import { aConnection } from './connection.js';
import { aConfigSchema, aStrategy } from './definitions.js';
import { MemorySessions } from './memory-sessions.js';

export type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** The one token that the source knows, with signs that every encoding writes otherwise. */
export const KEY = 'canary/7f3+Q?x&3k';

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** A source on loopback whose answers, by path, can be changed at any time. */
export class TestedSource {
  answers: Record<string, Answer> = {};
  /** Method and path of the calls since the last `reset`. */
  readonly calls: string[] = [];
  origin = '';
  /** The same server under another origin. */
  elsewhere = '';
  readonly #outbound = new Outbound({ allow: ['127.0.0.0/8'] });
  readonly #server = createServer((request, response) => {
    this.calls.push(`${request.method} ${request.url}`);
    request.resume();
    const path = request.url?.split('?')[0] ?? '';
    (this.answers[path] ?? json(404, {}))(response, request);
  });

  async start(): Promise<void> {
    await once(this.#server.listen(0), 'listening');
    const { port } = this.#server.address() as AddressInfo;
    this.origin = `http://127.0.0.1:${port}`;
    this.elsewhere = `http://127.0.0.2:${port}`;
  }

  async stop(): Promise<void> {
    await this.#outbound.close();
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** Knows `/me` and `KEY` again, and nothing else. */
  reset(): void {
    this.calls.length = 0;
    const right = json(200, { login: 'ada' });
    const wrong = json(401, { error: 'bad token' });
    this.answers = {
      '/me': (response, request) => {
        (request.headers.authorization === `Bearer ${KEY}` ? right : wrong)(response, request);
      },
    };
  }

  connection(
    strategy: Partial<StrategyDefinition> = {},
    { baseUrl = this.origin, token = KEY, taps = [] as Partial<TapDefinition>[] } = {},
  ): Connection {
    return aConnection({
      connector: { defaultBaseUrl: baseUrl },
      strategy: aStrategy({ verification: { url: '/me', identityPath: 'login' }, ...strategy }),
      taps,
      config: { token, clientId: 'client', clientSecret: 'client-secret' },
    });
  }

  clientCredentials(strategy: Partial<StrategyDefinition> = {}): Connection {
    return this.connection({
      type: 'oauth2_client_credentials',
      oauth2Config: { tokenEndpoint: `${this.origin}/token`, scopes: ['read', 'write'] },
      configSchema: aConfigSchema({ clientSecret: { type: 'string', secret: true } }),
      ...strategy,
    });
  }

  signIn(strategy: Partial<StrategyDefinition> = {}): Connection {
    const oauth2Config = { tokenEndpoint: `${this.origin}/token`, authorizeUrl: `${this.origin}/authorize` };
    return this.connection({ type: 'oauth2_auth_code_pkce', oauth2Config, ...strategy });
  }

  found(
    connection: Connection,
    options: TestOptions & { session?: Session; sessions?: SessionKeeper } = {},
  ): Promise<Finding> {
    const { session, sessions = new MemorySessions(session), ...rest } = options;
    const send = (...call: Parameters<Outbound['request']>) => this.#outbound.request(...call);
    return testCredential(connection, sessions, send, { floor: 0, ...rest });
  }
}
