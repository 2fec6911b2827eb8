import { type InboundSecrets, loadInboundSecrets } from '../instances/credentials/load-inbound-secrets.js';
import { TenantConnectorInstance } from '../instances/tenant-connector-instance.js';
import { TenantConnectorTap } from '../instances/tenant-connector-tap.js';
import { BatchCoalescer } from '../kernel/concurrency/batch-coalescer.js';
import { AppError } from '../kernel/errors.js';
import type { ReaderFactory } from '../kernel/reading/reader-factory.js';
import type { SecretStore } from '../secrets/secret-store.js';
import { type ActiveIngestToken, findIngestToken, recordTokenUse } from './find-ingest-token.js';

/** What a token opens. */
export interface IngestEndpoint {
  readonly token: ActiveIngestToken;
  /** What its senders are verified with; none where the token alone lets them in. */
  readonly sender: InboundSecrets | undefined;
}

/** Tokens that are known to have opened. */
const MAX_RECENT_TOKENS = 10_000;

/** Finds what tokens open. Those who come with one token at the same time share what is read, none of which was read before they came. */
export class EndpointResolver {
  readonly #lookups: BatchCoalescer<undefined, IngestEndpoint | undefined>;
  /** By the hash of the token, the one that opened longest ago first. */
  readonly #opened = new Set<string>();
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

  /** Notes, some time later, that records came in with the token. Nobody is told where that fails. */
  recordUse(token: ActiveIngestToken): void {
    this.#uses.submit(token.id, token).catch(() => undefined);
  }

  /**
   * Undefined where the token opens nothing: it is unknown, revoked or past its end, or its tap is deleted. Throws CONFLICT where records are not to be
   * taken for the time being.
   */
  async resolve(token: string, hash: string): Promise<IngestEndpoint | undefined> {
    const door = await this.#lookups.submit(token, undefined);
    this.#opened.delete(hash);
    if (!door) return undefined;
    if (this.#opened.size >= MAX_RECENT_TOKENS) this.#opened.delete(this.#opened.values().next().value as string);
    this.#opened.add(hash);
    return door;
  }

  /** Whether it is one of the last tokens that opened something in this process, and nothing else is known of it since. */
  hasRecentlyResolved(hash: string): boolean {
    return this.#opened.has(hash);
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
    if (!tap.enabled) throw new AppError('CONFLICT', 'The tap is disabled; enable it, then send again.');
    if (instance && !instance.enabled)
      throw new AppError('CONFLICT', 'The connection is disabled; enable it, then send again.');
    const sender = instance && (await loadInboundSecrets(read, this.secrets, tenantId, instance));
    if (sender === 'not configured')
      throw new AppError(
        'CONFLICT',
        'The connection does not say yet how its senders are verified; configure that first.',
      );
    return { token, sender };
  }
}
