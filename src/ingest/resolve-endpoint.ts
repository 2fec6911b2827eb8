import { type InboundSecrets, loadInboundSecrets } from '../instances/credentials/load-inbound-secrets.js';
import { TenantConnectorInstance } from '../instances/tenant-connector-instance.js';
import { TenantConnectorTap } from '../instances/tenant-connector-tap.js';
import { BatchCoalescer } from '../kernel/concurrency/batch-coalescer.js';
import { AppError } from '../kernel/errors.js';
import type { ReaderFactory } from '../kernel/reading/reader-factory.js';
import type { SecretStore } from '../secrets/secret-store.js';
import { type ActiveIngestToken, findIngestToken, recordTokenUse } from './find-ingest-token.js';

export interface IngestEndpoint {
  readonly token: ActiveIngestToken;
  /** Undefined if the token alone authorizes the sender. */
  readonly sender: InboundSecrets | undefined;
}

const MAX_RECENT_TOKENS = 10_000;

/**
 * Concurrent requests with one token share a lookup. A request never uses the result of a lookup that started before
 * the request.
 */
export class EndpointResolver {
  readonly #lookups: BatchCoalescer<undefined, IngestEndpoint | undefined>;
  /** Hashes of valid tokens, least recently used first. */
  readonly #recent = new Set<string>();
  readonly #uses: BatchCoalescer<ActiveIngestToken, void>;

  constructor(
    private readonly readers: ReaderFactory,
    private readonly secrets: SecretStore,
  ) {
    this.#lookups = new BatchCoalescer({
      run: async (token, { length }) => new Array<IngestEndpoint | undefined>(length).fill(await this.#find(token)),
    });
    this.#uses = new BatchCoalescer<ActiveIngestToken, void>({
      run: async (_id, tokens) => {
        await recordTokenUse(readers, tokens[0] as ActiveIngestToken);
        return [];
      },
    });
  }

  /** Runs in the background and ignores failures. */
  recordUse(token: ActiveIngestToken): void {
    this.#uses.submit(token.id, token).catch(() => undefined);
  }

  /**
   * Returns undefined if the token is invalid, or its tap or connection is deleted. Throws CONFLICT if the tap or the
   * connection is disabled, or if the sender verification of the connection is not configured.
   */
  async resolve(token: string, hash: string): Promise<IngestEndpoint | undefined> {
    const endpoint = await this.#lookups.submit(token, undefined);
    this.#recent.delete(hash);
    if (!endpoint) return undefined;
    if (this.#recent.size >= MAX_RECENT_TOKENS) this.#recent.delete(this.#recent.values().next().value as string);
    this.#recent.add(hash);
    return endpoint;
  }

  /**
   * Returns whether the latest lookup of the token in this process found an endpoint. The process remembers the last
   * `MAX_RECENT_TOKENS` tokens.
   */
  hasRecentlyResolved(hash: string): boolean {
    return this.#recent.has(hash);
  }

  async #find(text: string): Promise<IngestEndpoint | undefined> {
    const token = await findIngestToken(this.readers, text);
    if (!token) return undefined;
    const { tenantId, tapId } = token;
    const read = this.readers.forTenant(tenantId);
    const tap = await read.byId(TenantConnectorTap, tapId);
    if (!tap || tap.deletedAt) return undefined;
    const instance = tap.instance ? await read.byId(TenantConnectorInstance, tap.instance) : undefined;
    if (instance?.deletedAt) return undefined;
    if (!tap.enabled)
      throw new AppError('CONFLICT', 'The tap is disabled. Enable the tap, then send the records again.');
    if (instance && !instance.enabled)
      throw new AppError('CONFLICT', 'The connection is disabled. Enable the connection, then send the records again.');
    const sender = instance && (await loadInboundSecrets(read, this.secrets, tenantId, instance));
    if (sender === 'not configured')
      throw new AppError(
        'CONFLICT',
        'The connection has no settings to verify senders. Configure the sender verification, then send the records again.',
      );
    return { token, sender };
  }
}
