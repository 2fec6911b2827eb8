import type { ConnectorTap } from '../../catalog/model/connector-tap.js';
import type { TransportOption } from '../../catalog/model/transport-option.js';
import { secretFieldsOf } from '../../catalog/secret-fields.js';
import type { Lean } from '../../kernel/reading/reader.js';
import type { Connection } from '../../sources/connection.js';
import { ConnectionConfigError } from '../../sources/connection-config-error.js';
import { buildDescribeRequest, readFieldNames } from '../requests/describe-request.js';
import { readTapDocument } from '../responses/read-tap-response.js';
import type { TapReading } from '../tap-reading.js';
import { responseFactsOf } from './response-facts-of.js';
import { type ReadResponse, sendTapRequest } from './send-tap-request.js';
import type { TapSource } from './tap-source.js';

/** What all slices of a tap have in common. */
export type PreparedTap = Omit<TapReading, 'variables' | 'parentFields' | 'window'>;

/**
 * Prepares the reading of a tap: selects the transport option with the lowest `priority`, and reads the names of the
 * fields if the connector discovers them. Throws `TapReadError` and `ConnectionConfigError`.
 */
export async function prepareTap(
  source: TapSource,
  tap: Lean<ConnectorTap>,
  signal: AbortSignal,
): Promise<PreparedTap> {
  const { connection } = source.call;
  const prepared = { tap, option: preferredOption(tap), config: publicConfigOf(connection) };
  const { connector } = connection;
  const token = connector.fieldDiscovery?.wildcardToken;
  const request = buildDescribeRequest(connector, tap);
  // Only queries with the token need the names.
  if (!request || !token || !JSON.stringify([prepared.option, tap.sync]).includes(token)) return prepared;
  const read: ReadResponse<string[]> = (response, origin) => {
    const reading = { ...prepared, variables: {}, parentFields: {} };
    return readFieldNames(
      connector,
      readTapDocument(reading, response, 'json', responseFactsOf(source, undefined, origin)),
    );
  };
  return { ...prepared, wildcard: { token, fieldNames: await sendTapRequest(source, request, { read, signal }) } };
}

function preferredOption({ name, transportOptions }: Lean<ConnectorTap>): TransportOption {
  const [first] = [...transportOptions].sort((a, b) => (a.priority ?? 0) - (b.priority ?? 0));
  if (!first) throw new ConnectionConfigError(name, 'the tap has no transport options.');
  return first;
}

/** Values of the configuration, with defaults and without secrets. */
function publicConfigOf({ connector, strategy, config, ingestionConfig }: Connection): Record<string, unknown> {
  const ingestionSchema = strategy.ingestionConfigSchema ?? connector.ingestionConfigSchema;
  const secrets = secretFieldsOf(strategy.configSchema);
  const values = {
    ...defaultsOf(ingestionSchema),
    ...defaultsOf(strategy.configSchema),
    ...ingestionConfig,
    ...config,
  };
  return Object.fromEntries(Object.entries(values).filter(([name]) => !secrets.includes(name)));
}

function defaultsOf(schema: Readonly<Record<string, unknown>> | null | undefined): Record<string, unknown> {
  const properties = (schema?.properties ?? {}) as Record<string, { default?: unknown }>;
  const defaults = Object.entries(properties).map(([name, field]) => [name, field?.default]);
  return Object.fromEntries(defaults.filter(([, value]) => value !== undefined));
}
