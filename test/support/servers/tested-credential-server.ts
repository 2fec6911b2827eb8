import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { StrategyDefinition, TapDefinition } from '../../../src/catalog/definitions/definition.js';
import { OutboundClient } from '../../../src/kernel/outbound/outbound-client.js';
import { type CredentialTestOptions, testCredential } from '../../../src/sources/calls/test-credential.js';
import type { Connection } from '../../../src/sources/connection.js';
import type { TestOutcome } from '../../../src/sources/responses/test-outcome.js';
import type { Session, SessionStore } from '../../../src/sources/session.js';
import { aConfigSchema, aStrategy } from '../catalog/definition-builders.js';
import { InMemorySessions } from '../sources/in-memory-sessions.js';
import { aConnection } from '../sources/source-connection.js';

export type SourceHandler = (response: ServerResponse, request: IncomingMessage) => void;

/** The only valid token. Encodings such as URL encoding change some of its characters. */
export const SOURCE_API_KEY = 'canary/7f3+Q?x&3k';

export function jsonHandler(status: number, body: unknown, headers: Record<string, string> = {}): SourceHandler {
  return (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** A source on loopback. Tests configure its responses by path. */
export class CredentialTestServer {
  answers: Record<string, SourceHandler> = {};
  /** Method and path of requests since the last `reset`. */
  readonly calls: string[] = [];
  origin = '';
  /** A second origin of the same server. */
  elsewhere = '';
  readonly #outbound = new OutboundClient({ allow: ['127.0.0.0/8'] });
  readonly #server = createServer((request, response) => {
    this.calls.push(`${request.method} ${request.url}`);
    request.resume();
    const path = request.url?.split('?')[0] ?? '';
    (this.answers[path] ?? jsonHandler(404, {}))(response, request);
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

  /** Restores the default: only `/me` with the valid token succeeds. */
  reset(): void {
    this.calls.length = 0;
    const right = jsonHandler(200, { login: 'ada' });
    const wrong = jsonHandler(401, { error: 'bad token' });
    this.answers = {
      '/me': (response, request) => {
        (request.headers.authorization === `Bearer ${SOURCE_API_KEY}` ? right : wrong)(response, request);
      },
    };
  }

  connection(
    strategy: Partial<StrategyDefinition> = {},
    { baseUrl = this.origin, token = SOURCE_API_KEY, taps = [] as Partial<TapDefinition>[] } = {},
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
    options: CredentialTestOptions & { session?: Session; sessions?: SessionStore } = {},
  ): Promise<TestOutcome> {
    const { session, sessions = new InMemorySessions(session), ...rest } = options;
    const send = (...call: Parameters<OutboundClient['request']>) => this.#outbound.request(...call);
    return testCredential(connection, sessions, send, { floorMs: 0, ...rest });
  }
}
