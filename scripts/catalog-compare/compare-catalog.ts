import type { ConnectorDefinition, VendorDefinition } from '../../src/catalog/definitions/definition.js';
import { compareConnector } from './compare-connector.js';
import { readDescription, readMappings } from './descriptions.js';
import { Documents } from './documents.js';

export interface CatalogReport {
  readonly lines: readonly string[];
  readonly differenceCount: number;
}

/** Throws `DescriptionError`. */
export function compareCatalog(folder: string, vendors: readonly VendorDefinition[]): CatalogReport {
  const mappings = readMappings(folder);
  const lines: string[] = [];
  let differenceCount = 0;
  for (const [name, connector] of connectorsOf(vendors)) {
    const { accepted = {}, ...mapping } = mappings[name] ?? { files: [] };
    const description = readDescription(folder, mapping, new Documents());
    if (!description) {
      lines.push(`${name}: no description`);
      continue;
    }
    const { differences, tapsCompared, tapsWithRecordsCompared } = compareConnector(connector, description);
    const found = differences.map(({ tap, kind, message }) => `${tap}: ${kind}: ${message}`);
    const open = found.filter((difference) => !accepted[difference]);
    const stale = Object.keys(accepted).filter((difference) => !found.includes(difference));
    lines.push(...open.map((difference) => `${name} ${difference}`));
    lines.push(...stale.map((difference) => `${name}: the accepted difference does not occur: ${difference}`));
    lines.push(
      `${name}: compared ${tapsCompared} of ${connector.taps.length} taps, and the records of ${tapsWithRecordsCompared}; ` +
        `${open.length} open differences, ${found.length - open.length} accepted`,
    );
    differenceCount += open.length;
  }
  return { lines: [...lines, `${differenceCount} open differences`], differenceCount };
}

function connectorsOf(vendors: readonly VendorDefinition[]): [string, ConnectorDefinition][] {
  return vendors.flatMap(({ slug, connectors = [] }) =>
    connectors
      .filter(({ taps }) => taps.some(({ transportOptions }) => transportOptions.length))
      .map((connector): [string, ConnectorDefinition] => [`${slug}/${connector.key}`, connector]),
  );
}
