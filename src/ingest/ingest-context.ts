import type { ConnectionContext } from '../instances/credentials/connection-context.js';
import type { TableContext } from '../tables/table-context.js';
import type { DeliveryIntake } from './delivery-intake.js';
import type { EndpointResolver } from './resolve-endpoint.js';

/** Process-wide services for pushed records. */
export interface IngestServices {
  /** Grace period of rotated tokens, in seconds. */
  readonly graceSeconds: number;
  readonly endpoints: EndpointResolver;
  readonly intake: DeliveryIntake;
}

export interface IngestContext extends ConnectionContext, TableContext {
  readonly ingest: IngestServices;
}
