import { readFile } from 'node:fs/promises';
import { AppError } from '../kernel/errors.js';
import type { OutboundClient, OutboundReply, OutboundRequest } from '../kernel/outbound/outbound-client.js';

/** Where a server with the HTTP API of Vault is, and what lets us in. */
export interface VaultSettings {
  readonly address: string;
  /** Where the KV engine is mounted. */
  readonly mount: string;
  /** Begins every path within it. */
  readonly prefix: string;
  readonly namespace: string | undefined;
  readonly token: { readonly value: string } | { readonly file: string };
}

/** The store cannot answer for the moment. The cause is for the log. */
export class VaultUnavailable extends AppError {
  constructor(cause: unknown) {
    super('UNAVAILABLE', 'The secret store cannot be reached; try again shortly.', { cause });
  }
}

/** For the log: the status says it all, and nothing is quoted of the reply. */
export class VaultResponseError extends Error {
  override readonly name = 'VaultResponseError';

  constructor(why: string) {
    super(`The secret store answered ${why}.`);
  }
}

/** Milliseconds. */
const TIMEOUT_MS = 5_000;
const MAX_RESPONSE_BYTES = 256 * 1024;

/** Calls of one KV engine, version 2 (https://openbao.org/api-docs/secret/kv/kv-v2). */
export class VaultClient {
  constructor(
    private readonly settings: VaultSettings,
    private readonly outbound: OutboundClient,
  ) {}

  get prefix(): string {
    return this.settings.prefix;
  }

  /** What `data` of the reply is, or undefined where there is nothing at `path`. Throws `VaultUnavailable`. */
  async call(method: string, path: string, body?: string): Promise<unknown> {
    try {
      const { address, mount } = this.settings;
      const options = { method, headers: await this.#headers(), ...(body && { body }) };
      return read(await this.#send(`${address}/v1/${mount}/${path}`, options));
    } catch (error) {
      throw new VaultUnavailable(error);
    }
  }

  #send(url: string, request: OutboundRequest): Promise<OutboundReply> {
    return this.outbound.request(url, { ...request, timeoutMs: TIMEOUT_MS, maxBytes: MAX_RESPONSE_BYTES });
  }

  /** The file is read each time: whoever renews the token replaces it. */
  async #headers(): Promise<Record<string, string>> {
    const { token, namespace } = this.settings;
    const text = 'file' in token ? (await readFile(token.file, 'utf8')).trim() : token.value;
    return {
      'x-vault-token': text,
      'x-vault-request': 'true',
      'content-type': 'application/json',
      ...(namespace && { 'x-vault-namespace': namespace }),
    };
  }
}

function read({ status, body }: OutboundReply): unknown {
  if (status === 404) return undefined;
  if (status < 200 || status > 299) throw new VaultResponseError(`with status ${status}`);
  if (body.length === 0) return {};
  try {
    return JSON.parse(body.toString()).data;
  } catch {
    throw new VaultResponseError('with something else than JSON'); // without a cause, which would quote it
  }
}
