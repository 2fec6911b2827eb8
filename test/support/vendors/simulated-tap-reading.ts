import { tmpdir } from 'node:os';
import type {
  ConnectorDefinition,
  StrategyDefinition,
  TapDefinition,
} from '../../../src/catalog/definitions/definition.js';
import { isObjectTap, tapForObject } from '../../../src/catalog/model/object-tap.js';
import type { Send } from '../../../src/sources/source-request.js';
import { prepareTap } from '../../../src/syncs/reading/prepare-tap.js';
import { readPages } from '../../../src/syncs/reading/read-pages.js';
import type { TapSource } from '../../../src/syncs/reading/tap-source.js';
import type { CompletedRecord } from '../../../src/syncs/responses/complete-record.js';
import { TapReadError } from '../../../src/syncs/tap-read-error.js';
import type { ReadWindow, SliceScope } from '../../../src/syncs/tap-reading.js';
import { SHIPPED_SCENARIOS } from '../catalog/all-shipped-scenarios.js';
import { aShippedConnection } from '../catalog/shipped-configs.js';
import type { Scenario } from '../catalog/shipped-scenario.js';
import { aSession, InMemorySessions } from '../sources/in-memory-sessions.js';
import { HUBSPOT_SEARCH_LIMIT } from './simulated-tap-business.js';
import { PAGE_SIZE, type VendorDialect } from './simulated-tap-pages.js';
import { type SimulatedRecord, type SimulatedTap, sampleRecord } from './simulated-tap-records.js';
import { addedFieldsOf, sampleScope } from './simulated-tap-scope.js';
import { DIALECTS, SimulatedTapVendor } from './simulated-tap-vendor.js';

export interface ShippedTap {
  /** Slug of the vendor and key of the connector, such as `github/rest-api`. */
  readonly place: string;
  readonly connector: ConnectorDefinition;
  readonly tap: TapDefinition;
}

/**
 * All records that the service read. If `error` is set, the records before the error. `lines` are the same records
 * after a conversion to JSON and back.
 */
export interface ReadOutcome {
  readonly records: readonly CompletedRecord[];
  readonly lines: readonly SimulatedRecord[];
  readonly error: TapReadError | undefined;
}

const UNTIL = new Date('2026-02-01T00:00:00Z');
const SINCE = new Date('2026-01-01T00:00:00Z');

/** `renewed`: the service can renew the session. `permanent`: the strategy has no session. */
export type StrategyKind = 'renewed' | 'permanent';

/** Returns at most one strategy of each kind. Omits strategies whose credentials the simulation cannot check. */
export function strategiesOf({ place, connector }: ShippedTap): Partial<Record<StrategyKind, StrategyDefinition>> {
  const checked = connector.supportedAuthStrategies.filter(({ key }) => SHIPPED_SCENARIOS[`${place}/${key}`]?.check);
  const isRenewed = ({ key }: StrategyDefinition): boolean => Boolean(SHIPPED_SCENARIOS[`${place}/${key}`]?.exchange);
  const renewed = checked.find(isRenewed);
  const permanent = checked.find((strategy) => !isRenewed(strategy));
  return { ...(renewed && { renewed }), ...(permanent && { permanent }) };
}

export class SimulatedTapReading {
  readonly vendor: SimulatedTapVendor;
  /** Delays before retries and between status requests, in milliseconds. The test does not wait. */
  readonly waits: number[] = [];
  readonly statuses: (number | undefined)[] = [];
  /** Key of the parent record in the requests. Undefined for a tap without parents. */
  readonly parentKey: string | undefined;
  readonly #scope: SliceScope;
  readonly scenario: Scenario;
  readonly #dialect: VendorDialect;
  readonly #tap: TapDefinition;
  readonly #source: TapSource;
  readonly #records: readonly SimulatedRecord[];

  /** The vendor returns the sample records with the numbers in `order`, in this order. */
  constructor(
    shipped: ShippedTap,
    order: readonly number[],
    send: Send,
    { kind, parent }: { kind?: StrategyKind | undefined; parent?: number } = {},
  ) {
    const dialect = DIALECTS[shipped.place];
    if (!dialect) throw new Error(`There is no simulation of ${shipped.place}.`);
    const connector = withSmallPages(shipped.connector);
    const tap = withObject(connector, connector.taps?.find(({ name }) => name === shipped.tap.name) as TapDefinition);
    const strategies = strategiesOf(shipped);
    const strategy = kind ? strategies[kind] : (strategies.renewed ?? strategies.permanent);
    if (!strategy) throw new Error(`No strategy of ${shipped.place} has credential scenarios.`);
    const edge = connector.traversal?.edges?.find(({ to }) => to === tap.name);
    this.#dialect = dialect;
    this.#tap = tap;
    this.#scope = sampleScope(connector, tap, { values: dialect.values, nth: parent });
    this.parentKey = edge?.templateVariable && this.#scope.variables[edge.templateVariable];
    this.scenario = SHIPPED_SCENARIOS[`${shipped.place}/${strategy.key}`] as Scenario;
    const options = { values: dialect.values, added: addedFieldsOf(connector, tap) };
    this.#records = order.map((nth) => sampleRecord(tap as unknown as SimulatedTap, nth, options));
    const connection = aShippedConnection(connector, strategy);
    const config = { ...connection.ingestionConfig, ...connection.config, ...this.#impersonated() };
    this.vendor = new SimulatedTapVendor(
      {
        tap: tap as unknown as SimulatedTap,
        dialect,
        scenario: this.scenario,
        known: { config, accessToken: 'access-token-1', refreshToken: 'refresh-token-1' } as never,
      },
      this.#records,
    );
    const isSignIn = strategy.type === 'oauth2_auth_code_pkce';
    const { addressValues, exchange } = this.scenario;
    const session = aSession({
      token: 'access-token-1',
      ...(exchange && { refreshToken: 'refresh-token-1' }),
      ...(addressValues && { addressValues }),
    });
    this.#source = {
      call: { connection, send, sessions: new InMemorySessions(isSignIn ? session : undefined) },
      workFolder: tmpdir(),
      onRequest: ({ status }) => void this.statuses.push(status),
      sleep: async (milliseconds) => void this.waits.push(milliseconds),
    };
  }

  get hasParentFields(): boolean {
    return Object.keys(this.#scope.parentFields).length > 0;
  }

  get expected(): readonly SimulatedRecord[] {
    const { sent } = this.#dialect;
    return this.#records.map((record) => ({
      ...(sent?.(record, this.#tap as unknown as SimulatedTap) ?? record),
      ...this.#scope.parentFields,
    }));
  }

  /** Reads all pages. Unless `isFirst` is true, the read of an incremental tap starts at a fixed time. */
  async read({ isFirst = false } = {}): Promise<ReadOutcome> {
    const records: CompletedRecord[] = [];
    const { signal } = new AbortController();
    const window: ReadWindow = { until: UNTIL, ...(!isFirst && { since: SINCE }) };
    let error: TapReadError | undefined;
    try {
      const prepared = await prepareTap(this.#source, this.#tap as never, signal);
      const reading = { ...prepared, ...this.#scope, ...(this.#tap.sync.mode === 'incremental' && { window }) };
      for await (const page of readPages(this.#source, reading, undefined, signal)) records.push(...page.records);
    } catch (caught) {
      if (!(caught instanceof TapReadError)) throw caught;
      error = caught;
    }
    return { records, lines: records.map(({ record }) => JSON.parse(JSON.stringify(record))), error };
  }

  #impersonated(): Record<string, string> {
    const { impersonateField } = this.#tap.perParentAuth ?? {};
    if (!impersonateField) return {};
    const { variables, parentFields } = this.#scope;
    return { delegatedUser: `${variables[impersonateField] ?? parentFields[impersonateField]}` };
  }
}

function withObject(connector: ConnectorDefinition, tap: TapDefinition): TapDefinition {
  const isPerObject = isObjectTap(connector as never, tap);
  return tapForObject(tap as never, isPerObject ? 'Invoice__c' : undefined) as unknown as TapDefinition;
}

/** With small pages, few records are enough for several pages. */
function withSmallPages(connector: ConnectorDefinition): ConnectorDefinition {
  return { ...connector, taps: connector.taps?.map(smallTap) };
}

const small = new WeakMap<TapDefinition, TapDefinition>();

function smallTap(tap: TapDefinition): TapDefinition {
  const known = small.get(tap) ?? withSmallPage(tap);
  small.set(tap, known);
  return known;
}

/** Reduces the search limit and the page sizes of the definition. */
function withSmallPage(tap: TapDefinition): TapDefinition {
  const changed = structuredClone(tap);
  for (const { pagination } of changed.transportOptions ?? []) {
    if (pagination?.restart) pagination.restart.afterRecords = HUBSPOT_SEARCH_LIMIT;
    if (pagination?.offset?.defaultLimit) pagination.offset.defaultLimit = PAGE_SIZE;
    if (pagination?.pageNumber?.defaultPageSize) pagination.pageNumber.defaultPageSize = PAGE_SIZE;
  }
  return changed;
}
