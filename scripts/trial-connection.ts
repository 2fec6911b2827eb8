import type {
  ConnectorDefinition,
  StrategyDefinition,
  VendorDefinition,
} from '../src/catalog/definitions/definition.js';
import type { SourceCall } from '../src/sources/calls/call-source.js';
import type { Connection } from '../src/sources/connection.js';
import { InMemorySessionStore } from '../src/sources/sessions/in-memory-session-store.js';

/** The two configs are the same as in the body of `POST /api/connectors`. */
export interface TrialConfig {
  /** Key of the authentication strategy. Optional if the connector has only one strategy. */
  readonly strategy?: string;
  readonly authenticationConfig?: Record<string, unknown>;
  readonly ingestionConfig?: Record<string, unknown>;
  /** Only for strategies that require a sign-in. */
  readonly accessToken?: string;
}

interface TrialTap {
  readonly vendorSlug: string;
  readonly tapName: string;
  readonly connectorKey?: string | undefined;
}

/** Throws `RangeError` for an unknown vendor, connector or strategy. */
export function trialConnection(
  vendors: readonly VendorDefinition[],
  { vendorSlug, tapName, connectorKey }: TrialTap,
  { strategy: strategyKey, authenticationConfig = {}, ingestionConfig = {}, accessToken }: TrialConfig,
): Omit<SourceCall, 'send'> {
  const vendor = onlyOne('vendor', vendors, ({ slug }) => slug === vendorSlug);
  const hasTap = ({ key, taps }: ConnectorDefinition): boolean =>
    connectorKey ? key === connectorKey : taps.some(({ name }) => name === tapName);
  const connector = onlyOne('connector', vendor.connectors ?? [], hasTap);
  const isSelected = ({ key }: StrategyDefinition): boolean => !strategyKey || key === strategyKey;
  const strategy = onlyOne('strategy', connector.supportedAuthStrategies, isSelected);
  const sessions = new InMemorySessionStore();
  if (accessToken) void sessions.replace(undefined, async () => ({ token: accessToken, obtainedAt: Date.now() }));
  const connection = { connector, strategy, taps: connector.taps, config: authenticationConfig, ingestionConfig };
  return { connection: connection as unknown as Connection, sessions };
}

function onlyOne<Item extends { key?: string; slug?: string }>(
  kind: string,
  items: readonly Item[],
  matches: (item: Item) => boolean,
): Item {
  const found = items.filter(matches);
  const [only] = found;
  if (only && found.length === 1) return only;
  const keys = (found.length ? found : items).map(({ key, slug }) => key ?? slug).join(', ');
  throw new RangeError(`${found.length ? `Several ${kind}s match` : `No ${kind} matches`}: ${keys}.`);
}
