import type { ConnectionContext } from '../instances/credentials/connection-context.js';
import type { TableContext } from '../tables/table-context.js';
import type { DeliveryIntake } from './delivery-intake.js';
import type { EndpointResolver } from './resolve-endpoint.js';

export interface IngestServices {
  readonly graceSeconds: number;
  readonly endpoints: EndpointResolver;
  readonly intake: DeliveryIntake;
}

export interface IngestContext extends ConnectionContext, TableContext {
  readonly ingest: IngestServices;
}
