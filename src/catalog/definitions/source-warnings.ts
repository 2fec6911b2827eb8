import type { VendorDefinition } from './definition.js';
import type { SourcedPart } from './source-rules.js';

const MAX_AGE_YEARS = 1;

/**
 * Warns of strategies and taps without a source, and of sources whose `checkedAt` is in the future or more than a year
 * ago. Returns one line for each kind of warning.
 */
export function sourceWarnings({ slug, connectors = [] }: VendorDefinition, today: Date): string[] {
  const parts = connectors.flatMap((connector): [name: string, part: SourcedPart, isConnector: boolean][] => [
    [connector.key, connector, true],
    ...[...connector.supportedAuthStrategies, ...(connector.inboundAuthStrategies ?? [])].map(
      (strategy): [string, SourcedPart, boolean] => [`${connector.key}/${strategy.key}`, strategy, false],
    ),
    ...connector.taps.map((tap): [string, SourcedPart, boolean] => [`${connector.key}/${tap.name}`, tap, false]),
  ]);
  const now = dateOf(today);
  const oldest = dateOf(new Date(new Date(today).setUTCFullYear(today.getUTCFullYear() - MAX_AGE_YEARS)));
  const withSource = (isFound: (checkedAt: string) => boolean): string[] =>
    parts.flatMap(([name, { sources = [] }]) => {
      const found = sources.map(({ checkedAt }) => checkedAt).filter(isFound);
      return found.length > 0 ? [`${name} (${found.sort()[0]})`] : [];
    });
  const kinds: [what: string, names: string[]][] = [
    ['no sources', parts.filter(([, { sources }, isPlace]) => !isPlace && !sources?.length).map(([name]) => name)],
    ['sources last checked more than a year ago', withSource((checkedAt) => checkedAt < oldest)],
    ['sources with a future checkedAt', withSource((checkedAt) => checkedAt > now)],
  ];
  return kinds
    .filter(([, names]) => names.length > 0)
    .map(([what, names]) => `${slug}.yaml: ${what}: ${names.join(', ')}`);
}

function dateOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}
