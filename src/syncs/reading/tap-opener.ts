import type { ConnectorTap } from '../../catalog/model/connector-tap.js';
import { CredentialSessionStore } from '../../instances/credentials/credential-session-store.js';
import { InactiveCredentialError } from '../../instances/credentials/inactive-credential-error.js';
import { loadConnection } from '../../instances/credentials/load-connection.js';
import type { SourceRateLimiter } from '../../instances/credentials/source-rate-limiter.js';
import { findInstance } from '../../instances/find-instance.js';
import type { Lean, Reader } from '../../kernel/reading/reader.js';
import type { ReaderFactory } from '../../kernel/reading/reader-factory.js';
import type { SecretStore } from '../../secrets/secret-store.js';
import type { StoredSession } from '../../sources/session.js';
import type { SendFor } from '../../sources/source-request.js';
import { TapReadError } from '../tap-read-error.js';
import type { TapSource } from './tap-source.js';

export interface TapOpenerServices {
  readonly readers: ReaderFactory;
  readonly secrets: SecretStore;
  readonly sendFor: SendFor;
  readonly sourceLimits: SourceRateLimiter;
  /** Folder for responses that do not fit into memory. */
  readonly workFolder: string;
}

/** The connection of a workspace whose tap is read. */
export interface StoredTap {
  readonly tenantId: string;
  readonly instanceId: string;
  readonly tap: Lean<ConnectorTap>;
  /** Id of the request or job, for the log. */
  readonly requestId: string;
}

/** Opens connections of workspaces for reading, with their current credential. */
export class TapOpener {
  /** Token exchanges of this process, which concurrent taps of a connection share. */
  readonly #exchanges = new Map<string, Promise<StoredSession>>();

  constructor(private readonly services: TapOpenerServices) {}

  /** Throws `TapReadError` if the connection was deleted or has no credential. */
  async open({ tenantId, instanceId, tap, requestId }: StoredTap): Promise<TapSource> {
    const { secrets, sendFor, sourceLimits, workFolder } = this.services;
    const read = this.#reader(tenantId);
    const instance = await findInstance(read, instanceId);
    if (!instance?.credential) throw missingCredential();
    const credentialId = instance.credential;
    const connection = await loadConnection(read, secrets, tenantId, credentialId).catch((error: unknown) => {
      throw error instanceof InactiveCredentialError ? missingCredential() : error;
    });
    const freshReader = (): Reader => this.#reader(tenantId);
    const sessions = new CredentialSessionStore(freshReader, secrets, tenantId, credentialId, this.#exchanges);
    const throttle = sourceLimits.throttleOf(connection, tenantId, tap);
    return { call: { connection, sessions, send: sendFor(requestId), throttle }, workFolder };
  }

  #reader(tenantId: string): Reader {
    return this.services.readers.forTenant(tenantId);
  }
}

function missingCredential(): TapReadError {
  return new TapReadError('credential', 'stop_run', 'The connection has no credential.');
}
