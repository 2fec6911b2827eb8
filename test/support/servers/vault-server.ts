import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { close, listen } from './loopback.js';

interface Version {
  data: Record<string, unknown> | null;
  deletion_time: string;
}

/**
 * A fake KV engine, version 2 (https://openbao.org/api-docs/secret/kv/kv-v2). Supports only the calls of the secret
 * store: create, read a version, and delete all versions.
 */
export class VaultServer {
  token = 's.first-token';
  mount = 'secret';
  namespace: string | undefined;
  /** Versions by path within the engine, oldest first. */
  readonly entries = new Map<string, Version[]>();
  readonly requested: string[] = [];
  lastBody = '';
  /** Handles all requests if set. */
  answer: ((request: IncomingMessage, response: ServerResponse) => unknown) | undefined;
  url: string;
  readonly #server = createServer((request, response) => this.#serve(request, response));

  async open(): Promise<this> {
    this.url = await listen(this.#server);
    return this;
  }

  async close(): Promise<void> {
    await close(this.#server);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray()).toString();
    this.requested.push(`${request.method} ${request.url}`);
    this.lastBody = body;
    if (this.answer) return void this.answer(request, response);
    const [status, reply] = this.#reply(request, body);
    // Escapes `<`, `>` and `&`, as the JSON encoder of Go does.
    const text = JSON.stringify(reply)?.replace(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  }

  #reply({ method, url, headers }: IncomingMessage, body: string): [status: number, reply?: object] {
    if (headers['x-vault-token'] !== this.token) return [403, { errors: ['permission denied'] }];
    const { pathname, searchParams } = new URL(url as string, this.url);
    const [, kind, path] = new RegExp(`^/v1/${this.mount}/(data|metadata)/(.+)$`).exec(pathname) ?? [];
    if (!kind || !path || headers['x-vault-namespace'] !== this.namespace)
      return [404, { errors: [`no handler for route "${pathname}"`] }];
    if (kind === 'metadata' && method === 'DELETE') {
      this.entries.delete(path);
      return [204];
    }
    if (kind === 'data' && method === 'POST') return [200, { data: this.#create(path, JSON.parse(body).data) }];
    if (kind === 'data' && method === 'GET') return this.#read(path, Number(searchParams.get('version') ?? 0));
    return [405, { errors: ['unsupported operation'] }];
  }

  #create(path: string, data: Version['data']): object {
    const versions = this.entries.get(path) ?? [];
    this.entries.set(path, [...versions, { data, deletion_time: '' }]);
    return this.#metadata(path, versions.length + 1);
  }

  #read(path: string, requested: number): [status: number, reply: object] {
    const versions = this.entries.get(path) ?? [];
    const number = requested || versions.length;
    const version = versions[number - 1];
    if (!version) return [404, { errors: [] }];
    const isDeleted = version.data === null;
    return [isDeleted ? 404 : 200, { data: { data: version.data, metadata: this.#metadata(path, number) } }];
  }

  #metadata(path: string, number: number): object {
    const deletion_time = this.entries.get(path)?.[number - 1]?.deletion_time ?? '';
    return { created_time: new Date().toISOString(), deletion_time, destroyed: false, version: number };
  }
}
