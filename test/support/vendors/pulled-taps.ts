import type { ConnectorDefinition } from '../../../src/catalog/definitions/definition.js';
import { readShippedDefinitions } from '../../../src/catalog/definitions/shipped-definitions.js';
import type { ShippedTap } from './simulated-tap-reading.js';

/** Returns the pulled taps of the bundled catalog with their names `VENDOR/CONNECTOR/TAP`. */
export async function readPulledTaps(): Promise<[string, ShippedTap][]> {
  const vendors = await readShippedDefinitions();
  return vendors.flatMap(({ slug, connectors = [] }) =>
    connectors.flatMap((connector) => pulledTapsOf(`${slug}/${connector.key}`, connector)),
  );
}

function pulledTapsOf(place: string, connector: ConnectorDefinition): [string, ShippedTap][] {
  return connector.taps
    .filter(({ sync }) => sync.mode !== 'push')
    .map((tap) => [`${place}/${tap.name}`, { place, connector, tap }]);
}
