import type { ConnectQuery } from '../../gql/graphql.js';
import { INBOUND_VERIFICATIONS } from '../ingest/inbound-verifications.js';
import type { ConfigSchema } from './config-fields.js';

export type Grouping = NonNullable<ConnectQuery['platformVendor']>['allGroupings'][number];

/** A way to authenticate at the vendor, or to verify the vendor as a sender. */
export interface Method {
  readonly id: string;
  readonly label: string;
  readonly docs?: string | null;
  readonly configSchema: ConfigSchema | null;
  readonly ingestionConfigSchema: ConfigSchema | null;
  /** Whether the method verifies a sender. The first delivery of the sender tests the method. */
  readonly isInbound: boolean;
  readonly needsSignIn: boolean;
}

/** Methods that authenticate at the vendor come first. Returns an empty list if the connector needs no credentials. */
export function methodsOf({ supportedAuthStrategies, supportedInboundAuthStrategies }: Grouping): readonly Method[] {
  return [
    ...(supportedAuthStrategies ?? []).map(
      ({ id, label, type, docs, configSchema, ingestionConfigSchema }): Method => ({
        ...{ id, label: label ?? type, docs, isInbound: false, needsSignIn: type === 'oauth2_auth_code_pkce' },
        configSchema: configSchema as ConfigSchema | null,
        ingestionConfigSchema: ingestionConfigSchema as ConfigSchema | null,
      }),
    ),
    ...(supportedInboundAuthStrategies ?? []).map(
      ({ id, label, verificationType, configSchema }): Method => ({
        ...{ id, label: label ?? INBOUND_VERIFICATIONS[verificationType], isInbound: true, needsSignIn: false },
        ...{ configSchema: configSchema as ConfigSchema | null, ingestionConfigSchema: null },
      }),
    ),
  ];
}
