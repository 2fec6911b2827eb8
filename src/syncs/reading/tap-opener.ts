import type { CatalogRevision } from '../../catalog/catalog-revision.js';
import type { KnownDefinitions } from '../../catalog/loading/known-definitions.js';
import type { ConnectorTap } from '../../catalog/model/connector-tap.js';
import { ConnectorBaseUrl } from '../../instances/config/connector-base-url.js';
import { CredentialMetadata } from '../../instances/credential-metadata.js';
import { CredentialSessionStore } from '../../instances/credentials/credential-session-store.js';
import { InactiveCredentialError } from '../../instances/credentials/inactive-credential-error.js';
import { loadConnection } from '../../instances/credentials/load-connection.js';
import { SealedCredential } from '../../instances/credentials/sealed-credential.js';
import type { SourceRateLimiter } from '../../instances/credentials/source-rate-limiter.js';
import { findInstance } from '../../instances/find-instance.js';
import { TenantConnectorInstance } from '../../instances/tenant-connector-instance.js';
import { decodeId } from '../../kernel/ids.js';
import { readJoined } from '../../kernel/reading/read-joined.js';
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
  readonly definitions: KnownDefinitions;
  /** Folder for responses that do not fit into memory. */
  readonly workFolder: string;
}

export interface StoredTap {
  readonly tenantId: string;
  readonly instanceId: string;
  readonly tap: Lean<ConnectorTap>;
  /** Catalog revision of `tap`. Without a revision, the opener reads all definitions again. */
  readonly revision?: Lean<CatalogRevision> | undefined;
  readonly requestId: string;
}

/** Opens taps with the current credential of their connection. */
export class TapOpener {
  /** Concurrent taps of a connection share a token exchange. */
  readonly #exchanges = new Map<string, Promise<StoredSession>>();

  constructor(private readonly services: TapOpenerServices) {}

  /** Throws `TapReadError` if the connection is deleted or has no active credential. */
  async open({ tenantId, instanceId, tap, revision, requestId }: StoredTap): Promise<TapSource> {
    const { secrets, sendFor, sourceLimits, definitions, workFolder } = this.services;
    const read = this.#reader(tenantId);
    definitions.use(read, revision);
    await readConnectionRows(read, tenantId, instanceId);
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

const CONNECTION_ROWS = {
  ...{ i: TenantConnectorInstance, m: CredentialMetadata, s: SealedCredential, u: ConnectorBaseUrl },
};

const FROM_CONNECTION = `
tenant_connector_instance i
left join credential_metadata m on m.tenant_id = i.tenant_id and m.id = i.credential_id
left join sealed_credential s on s.tenant_id = i.tenant_id and s.credential_id = i.credential_id
left join connector_base_url u on u.tenant_id = i.tenant_id and u.connector_id = i.connector_id
where i.tenant_id = $1 and i.id = $2`;

/** Reads the secrets and the base URL with one statement, so that a concurrent change cannot mix old and new values. */
async function readConnectionRows(read: Reader, tenantId: string, instanceId: string): Promise<void> {
  const rows = await readJoined(read, CONNECTION_ROWS, FROM_CONNECTION, [tenantId, instanceId].map(decodeId));
  if (!rows?.i) return;
  const { i: instance, s: sealed, u: url } = rows;
  read.provide(ConnectorBaseUrl, 'connector', instance.connector, url ? [url] : []);
  if (instance.credential) read.provide(SealedCredential, 'credential', instance.credential, sealed ? [sealed] : []);
}

function missingCredential(): TapReadError {
  return new TapReadError('credential', 'stop_run', 'The connection has no credential.');
}
