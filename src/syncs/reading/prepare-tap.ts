import type { ConnectorTap } from '../../catalog/model/connector-tap.js';
import { isObjectTap } from '../../catalog/model/object-tap.js';
import { secretFieldsOf } from '../../catalog/secret-fields.js';
import { overrideRow } from '../../kernel/reading/override-row.js';
import type { Lean } from '../../kernel/reading/reader.js';
import type { Connection } from '../../sources/connection.js';
import { ConnectionConfigError } from '../../sources/connection-config-error.js';
import { buildDescribeRequest, readFieldNames } from '../requests/describe-request.js';
import { splitFields } from '../requests/split-fields.js';
import { readTapDocument } from '../responses/read-tap-response.js';
import { TapReadError } from '../tap-read-error.js';
import type { PreparedTap, TapReading } from '../tap-reading.js';
import { WHOLE_TAP } from './fan-out.js';
import { responseFactsOf } from './response-facts-of.js';
import { type ReadResponse, sendTapRequest } from './send-tap-request.js';
import type { TapSource } from './tap-source.js';

/** Orders the transport options by `priority`. Throws `TapReadError` and `ConnectionConfigError`. */
export async function prepareTap(
  source: TapSource,
  tap: Lean<ConnectorTap>,
  signal: AbortSignal,
): Promise<PreparedTap> {
  requireNoHooks(tap);
  const { connection } = source.call;
  if (isObjectTap(connection.connector, tap) && !tap.objectName)
    throw new TapReadError(
      'configuration',
      'fail_tap',
      'objectName is required, because the service reads the tap once per object.',
    );
  const bootstrap = bootstrapOf(tap, connection.taps);
  const prepared = { tap, ...optionsOf(tap), ...(bootstrap && { bootstrap }), config: publicConfigOf(connection) };
  const { connector } = connection;
  const token = connector.fieldDiscovery?.wildcardToken;
  const request = buildDescribeRequest(connector, tap);
  // Only queries with the wildcard token need the field names.
  if (!request || !token || !JSON.stringify([tap.transportOptions, tap.sync]).includes(token)) return prepared;
  const read: ReadResponse<string[]> = (response, origin) => {
    const reading = { ...prepared, ...WHOLE_TAP };
    return readFieldNames(
      connector,
      readTapDocument(reading, response, 'json', responseFactsOf(source, undefined, origin)),
    );
  };
  const fieldNames = await sendTapRequest(source, request, { read, signal });
  const lists = splitFields(fieldNames, connector.fieldDiscovery ?? {}, tap);
  return { ...prepared, wildcard: { token, fieldNames, ...(lists.length > 1 && { lists }) } };
}

/** The service does not support hooks of taps. */
function requireNoHooks({ requestHook, extractionHook, transportOptions }: Lean<ConnectorTap>): void {
  const hooks = [requestHook, extractionHook, ...transportOptions.map(({ paginationHook }) => paginationHook)];
  const hook = hooks.find((name) => name != null);
  if (hook)
    throw new TapReadError(
      'contract',
      'fail_tap',
      `The tap requires the hook ${hook}, which does not exist in this version of the service.`,
    );
}

function optionsOf({ name, transportOptions }: Lean<ConnectorTap>): Pick<TapReading, 'option' | 'alternatives'> {
  const [option, ...alternatives] = [...transportOptions].sort((a, b) => (a.priority ?? 0) - (b.priority ?? 0));
  if (!option) throw new ConnectionConfigError(name, 'the tap has no transport options.');
  return { option, ...(alternatives.length > 0 && { alternatives }) };
}

/** Returns the tap `bootstrapTap` with its own transport options, but with the cursor field of `tap`. */
function bootstrapOf(tap: Lean<ConnectorTap>, taps: readonly Lean<ConnectorTap>[]): TapReading['bootstrap'] {
  const list = tap.sync.bootstrapTap && taps.find(({ name }) => name === tap.sync.bootstrapTap);
  if (!list) return undefined;
  const { cursorField, cursorValueFormat } = tap.sync;
  const cursor = { ...(cursorField && { cursorField }), ...(cursorValueFormat && { cursorValueFormat }) };
  return { tap: overrideRow(list, { sync: { ...list.sync, ...cursor } }), ...optionsOf(list) };
}

/** The returned values include defaults, but no secrets. */
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
