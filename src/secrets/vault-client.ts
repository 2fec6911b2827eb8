import { readFile } from 'node:fs/promises';
import { AppError } from '../kernel/errors.js';
import type { OutboundClient, OutboundReply, OutboundRequest } from '../kernel/outbound/outbound-client.js';

export interface VaultSettings {
  readonly address: string;
  /** Mount path of the KV engine. */
  readonly mount: string;
  /** Prefix of all paths within the engine. */
  readonly prefix: string;
  readonly namespace: string | undefined;
  readonly token: { readonly value: string } | { readonly file: string };
}

/** Clients do not receive the cause. */
export class VaultUnavailable extends AppError {
  constructor(cause: unknown) {
    super('UNAVAILABLE', 'The secret store is unavailable. Try again shortly.', { cause });
  }
}

/** The message does not quote the body of the response. */
export class VaultResponseError extends Error {
  override readonly name = 'VaultResponseError';

  constructor(why: string) {
    super(`The secret store responded ${why}.`);
  }
}

const TIMEOUT_MS = 5_000;
const MAX_RESPONSE_BYTES = 256 * 1024;

/** Client of one KV engine, version 2 (https://openbao.org/api-docs/secret/kv/kv-v2). */
export class VaultClient {
  constructor(
    private readonly settings: VaultSettings,
    private readonly outbound: OutboundClient,
  ) {}

  get prefix(): string {
    return this.settings.prefix;
  }

  /** Returns the `data` of the response, or undefined if `path` does not exist. Throws `VaultUnavailable`. */
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

  /** Reads the token file at each call, because token renewal replaces the file. */
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
    // The error has no cause, because the cause would quote the body.
    throw new VaultResponseError('with invalid JSON');
  }
}
