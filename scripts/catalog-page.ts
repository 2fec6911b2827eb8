import type { ConnectorDefinition, TapDefinition, VendorDefinition } from '../src/catalog/definitions/definition.js';
import type { SourcedPart } from '../src/catalog/definitions/source-rules.js';
import type { RateLimits } from '../src/catalog/model/rate-limits.js';

const INTRODUCTION = `# Included vendors

This page lists the included vendors, their authentication methods and taps, and which settings public sources confirm.
\`npm run generate\` writes the page from \`catalog/\`.

- **Mode**: \`full\` reads all records, \`incremental\` reads new and changed records, and \`push\` receives records.
- **Key**: field that identifies a record. **Cursor**: field that contains the time or number of the last change.
- **Read per**: parent tap. A sync reads the tap once per record of its parent tap.
- **Checked**: date of the oldest comparison with the [public sources](vendors.md#sources), and number of sources. No
  source confirms the settings after "not confirmed".
`;

export function buildCatalogPage(vendors: readonly VendorDefinition[]): string {
  const sorted = [...vendors].sort((a, b) => a.name.localeCompare(b.name));
  const overview = table(
    ['vendor', 'connectors', 'authentication methods', 'pulled taps', 'incremental', 'pushed taps'],
    [...sorted.map(overviewRow), totalRow(sorted)],
  );
  return [INTRODUCTION, overview, ...sorted.map(vendorSection)].join('\n');
}

function overviewRow(vendor: VendorDefinition): string[] {
  return [`[${vendor.name}](#${anchorOf(vendor.name)})`, ...countsOf([vendor]).map(String)];
}

function totalRow(vendors: readonly VendorDefinition[]): string[] {
  return [`${vendors.length} vendors`, ...countsOf(vendors).map(String)];
}

function countsOf(vendors: readonly VendorDefinition[]): number[] {
  const connectors = vendors.flatMap((vendor) => vendor.connectors ?? []);
  const modes = connectors.flatMap(({ taps }) => taps.map(({ sync }) => sync.mode));
  const strategies = connectors.flatMap(({ supportedAuthStrategies, inboundAuthStrategies = [] }) => [
    ...supportedAuthStrategies,
    ...inboundAuthStrategies,
  ]);
  const countOf = (mode: string): number => modes.filter((other) => other === mode).length;
  return [
    connectors.length,
    strategies.length,
    modes.length - countOf('push'),
    countOf('incremental'),
    countOf('push'),
  ];
}

function vendorSection({ name, description, connectors = [] }: VendorDefinition): string {
  return [`## ${name}\n`, ...(description ? [`${description}\n`] : []), ...connectors.map(connectorSection)].join('\n');
}

function connectorSection(connector: ConnectorDefinition): string {
  const { name, apiVersion, rateLimits, supportedAuthStrategies, inboundAuthStrategies = [], taps } = connector;
  const methods = [
    ...supportedAuthStrategies.map((strategy) => [
      strategy.label ?? strategy.key,
      code(strategy.type),
      checkedOf(strategy),
    ]),
    ...inboundAuthStrategies.map((strategy) => [
      strategy.label ?? strategy.key,
      code(strategy.verificationType),
      checkedOf(strategy),
    ]),
  ];
  const limits = rateLimits && limitsOf(rateLimits);
  const version = apiVersion ? [`API version: ${code(apiVersion)}`] : [];
  const lines = [...version, ...(limits ? [`Limits: ${limits}; ${checkedOf(connector)}`] : [])];
  return [
    `### ${name}\n`,
    ...(lines.length > 0 ? [`${lines.map((line) => `- ${line}`).join('\n')}\n`] : []),
    table(['method', 'type', 'checked'], methods),
    table(
      ['tap', 'mode', 'key', 'cursor', 'read per', 'checked'],
      taps.map((tap) => tapRow(tap, connector)),
    ),
  ].join('\n');
}

function tapRow(tap: TapDefinition, { traversal }: ConnectorDefinition): string[] {
  const { name, sync, responseExtraction } = tap;
  const parents = traversal?.edges?.filter(({ to }) => to === name).map(({ from }) => code(from)) ?? [];
  const key = responseExtraction.primaryKey ? code(responseExtraction.primaryKey) : '';
  return [
    code(name),
    sync.mode,
    key,
    sync.cursorField ? code(sync.cursorField) : '',
    parents.join(', '),
    checkedOf(tap),
  ];
}

function limitsOf({ requestsPerSecond, maxConcurrent, windows = [], resetHeader }: RateLimits): string {
  const limits = [
    ...(requestsPerSecond === undefined ? [] : [`${quantity(requestsPerSecond, 'request')} per second`]),
    ...windows.map(({ requests, seconds }) => `${quantity(requests, 'request')} per ${quantity(seconds, 'second')}`),
    ...(maxConcurrent === undefined ? [] : [quantity(maxConcurrent, 'concurrent request')]),
    ...(resetHeader === undefined ? [] : [`reset time in ${code(resetHeader)}`]),
  ];
  return limits.length > 0 ? limits.join(', ') : 'unknown';
}

function checkedOf({ sources = [], unverified = [] }: SourcedPart): string {
  const oldest = sources.map(({ checkedAt }) => checkedAt).sort()[0];
  const checked = oldest ? `${oldest}, ${quantity(sources.length, 'source')}` : 'no sources';
  return unverified.length > 0 ? `${checked}; not confirmed: ${unverified.map(code).join(', ')}` : checked;
}

function quantity(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function code(text: string): string {
  return `\`${text}\``;
}

/** Returns the anchor that GitHub gives a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return `${[line(header), `|${header.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n')}\n`;
}
