import type { ConnectorTap } from '../../catalog/model/connector-tap.js';
import { OBJECT_NAME_BOUNDS } from '../../catalog/model/object-tap.js';
import { evaluateJmesPath } from '../../kernel/formats/jmespath.js';
import type { Lean } from '../../kernel/reading/reader.js';
import { failureOf } from '../responses/failure-table.js';
import { readTapDocument } from '../responses/read-tap-response.js';
import type { TapReading } from '../tap-reading.js';
import { WHOLE_TAP } from './fan-out.js';
import { responseFactsOf } from './response-facts-of.js';
import { type ReadResponse, sendTapRequest } from './send-tap-request.js';
import type { TapSource } from './tap-source.js';

export interface DiscoveredObject {
  readonly name: string;
  /** Display name. Undefined if the source has none. */
  readonly label: string | undefined;
}

const NAME = new RegExp(OBJECT_NAME_BOUNDS.pattern);

/**
 * Returns the objects in the order of the source, without duplicates. Omits an object whose name cannot be part of a
 * request. Throws `TapReadError` and `ConnectionConfigError`.
 */
export async function discoverObjects(
  source: TapSource,
  tap: Lean<ConnectorTap>,
  signal: AbortSignal,
): Promise<DiscoveredObject[]> {
  const { endpoint = '', ...settings } = source.call.connection.connector.fieldDiscovery?.objects ?? {};
  const [option] = tap.transportOptions;
  const reading = { tap, option, config: {}, ...WHOLE_TAP } as TapReading;
  const read: ReadResponse<DiscoveredObject[]> = (response, origin) =>
    objectsIn(readTapDocument(reading, response, 'json', responseFactsOf(source, undefined, origin)), settings);
  return sendTapRequest(source, { method: 'GET', path: endpoint }, { read, signal });
}

function objectsIn(
  document: unknown,
  { listPath = '@', nameKey = 'name', labelKey }: { listPath?: string; nameKey?: string; labelKey?: string },
): DiscoveredObject[] {
  const list = evaluateJmesPath(listPath, document);
  if (!Array.isArray(list)) throw failureOf('unexpected_shape', { message: 'The response has no list at `listPath`.' });
  const all = list.map((item: unknown) => {
    const fields = typeof item === 'object' && item !== null ? (item as Record<string, unknown>) : { [nameKey]: item };
    const label = labelKey === undefined ? undefined : fields[labelKey];
    return { name: fields[nameKey], label: typeof label === 'string' ? label : undefined };
  });
  const named = all.filter((object): object is DiscoveredObject => isName(object.name));
  return [...new Map(named.map((object) => [object.name, object])).values()];
}

function isName(name: unknown): boolean {
  return typeof name === 'string' && name.length <= OBJECT_NAME_BOUNDS.maxLength && NAME.test(name);
}
