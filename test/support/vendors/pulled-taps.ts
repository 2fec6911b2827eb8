import { join } from 'node:path';
import type { ConnectorDefinition } from '../../../src/catalog/definitions/definition.js';
import { readDefinitions } from '../../../src/catalog/definitions/read-definitions.js';
import { PROJECT_ROOT } from '../../../src/kernel/project-root.js';
import type { ShippedTap } from './simulated-tap-reading.js';

/** The shipped taps that the service pulls, by vendor, connector and tap. */
export async function readPulledTaps(): Promise<[string, ShippedTap][]> {
  const vendors = await readDefinitions([join(PROJECT_ROOT, 'catalog')]);
  return vendors.flatMap(({ slug, connectors = [] }) =>
    connectors.flatMap((connector) => pulledTapsOf(`${slug}/${connector.key}`, connector)),
  );
}

function pulledTapsOf(place: string, connector: ConnectorDefinition): [string, ShippedTap][] {
  return connector.taps
    .filter(({ sync }) => sync.mode !== 'push')
    .map((tap) => [`${place}/${tap.name}`, { place, connector, tap }]);
}
