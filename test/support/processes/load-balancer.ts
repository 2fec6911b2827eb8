import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '../database/test-jobs.js';

/**
 * A proxy for services on loopback. It reuses connections, checks `/readyz` of each service and does not retry
 * requests.
 */
export interface Balancer {
  readonly url: string;
  /** Returns whether requests go to the service on this port. */
  uses(port: number): Promise<boolean>;
  close(): Promise<void>;
}

const CHECK_INTERVAL = 50;
const HAPROXY = '/usr/sbin/haproxy';

export const HAS_HAPROXY = existsSync(HAPROXY);

export async function aFreePort(): Promise<number> {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * Forwards requests round robin. Returns 502 if the connection to the service fails, and 503 if no service is ready.
 */
export async function aNodeBalancer(ports: readonly number[]): Promise<Balancer> {
  const agents = new Map(ports.map((port) => [port, new Agent({ keepAlive: true })]));
  const inUse = new Set<number>();
  let turn = 0;
  const checks = ports.map((port) =>
    setInterval(async () => {
      const isReady = await statusOf(port).then((status) => status === 200);
      if (isReady) inUse.add(port);
      else inUse.delete(port);
    }, CHECK_INTERVAL),
  );
  const server = createServer((incoming, reply) => {
    const port = [...inUse][turn++ % inUse.size];
    if (port === undefined) reply.writeHead(503).end();
    else pass(incoming, reply, port, agents.get(port) as Agent);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    uses: async (port) => inUse.has(port),
    async close() {
      for (const check of checks) clearInterval(check);
      for (const agent of agents.values()) agent.destroy();
      server.close();
      server.closeAllConnections();
    },
  };
}

function pass(incoming: IncomingMessage, reply: ServerResponse, port: number, agent: Agent): void {
  const { method, url: path, headers } = incoming;
  const upstream = request({ host: '127.0.0.1', port, agent, method, path, headers }, (answer) => {
    const { connection: _hop, ...rest } = answer.headers;
    reply.writeHead(answer.statusCode as number, rest);
    answer.pipe(reply);
  });
  upstream.on('error', () => (reply.headersSent ? reply.destroy() : reply.writeHead(502).end()));
  incoming.pipe(upstream);
}

/** Returns 0 if the service does not respond. */
function statusOf(port: number): Promise<number> {
  return fetch(`http://127.0.0.1:${port}/readyz`, { headers: { connection: 'close' } }).then(
    ({ status }) => status,
    () => 0,
  );
}

/** Starts HAProxy with the settings of docs/deployment.md, but with faster health checks and without retries. */
export async function anHaproxy(ports: readonly number[]): Promise<Balancer> {
  const folder = await mkdtemp(join(tmpdir(), 'taproot-haproxy-'));
  const port = await aFreePort();
  const url = `http://127.0.0.1:${port}`;
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, configuration(port, ports));
  const child: ChildProcess = spawn(HAPROXY, ['-db', '-f', file], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const uses = async (port: number): Promise<boolean> => {
    const statistics = await fetch(`${url}/statistics;csv`).then(
      (reply) => reply.text(),
      () => '',
    );
    return new RegExp(`^services,s${port},.*,UP,`, 'm').test(statistics);
  };
  await waitUntil(() => uses(ports[0] as number));
  return {
    ...{ url, uses },
    async close() {
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

function configuration(port: number, ports: readonly number[]): string {
  const servers = ports.map((one) => `  server s${one} 127.0.0.1:${one}`);
  return `
defaults
  mode http
  timeout connect 5s
  timeout client 130s
  timeout server 130s
  timeout http-request 10s
  timeout check 5s
frontend entry
  bind 127.0.0.1:${port}
  stats enable
  stats uri /statistics
  default_backend services
backend services
  option forwardfor
  option httpchk GET /readyz
  http-reuse safe
  retries 0
  default-server check inter 100ms fall 2 rise 1
${servers.join('\n')}
`;
}
