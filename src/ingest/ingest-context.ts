import type { ConnectionContext } from '../instances/credentials/connection-context.js';
import type { TableContext } from '../tables/table-context.js';
import type { DeliveryIntake } from './delivery-intake.js';
import type { EndpointResolver } from './resolve-endpoint.js';

/** Process-wide services for pushed records. */
export interface IngestServices {
  /** Seconds for which a rotated token remains valid. */
  readonly graceSeconds: number;
  readonly endpoints: EndpointResolver;
  readonly intake: DeliveryIntake;
}

export interface IngestContext extends ConnectionContext, TableContext {
  readonly ingest: IngestServices;
}
