import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import type { TapDefinition } from '../../../src/catalog/definitions/definition.js';
import { AnyHostServer } from '../../support/servers/any-host-server.js';
import { readPulledTaps } from '../../support/vendors/pulled-taps.js';
import { type ShippedTap, SimulatedTapReading } from '../../support/vendors/simulated-tap-reading.js';

type Path = readonly string[];

/**
 * Settings without which the service also reads all records:
 * - Without `totalPath`, `totalHeader` or `hasMorePath`, an empty page or a page without a cursor ends the list.
 * - Without `cursorReplaces`, a request contains the cursor and the start time. The simulated vendor accepts both.
 * - `failureValue` and `failureValues` have no effect, because simulated queries never fail.
 */
const REDUNDANT = ['totalPath', 'totalHeader', 'hasMorePath', 'cursorReplaces', 'failureValue', 'failureValues'];

let reading: SimulatedTapReading;
const server = new AnyHostServer((call) => reading.vendor.reply(call));

it.each(await readPulledTaps())(
  'the scenarios of %s fail with any wrong setting of its requests, pages and records',
  async (_, shipped) => {
    const undetected: string[] = [];
    for (const path of settingsOf(shipped.tap))
      if (await isComplete(withWrong(shipped, path))) undetected.push(path.join('.'));
    expect(undetected).toEqual([]);
  },
);

function settingsOf({ responseExtraction, transportOptions, sync }: TapDefinition): Path[] {
  const { primaryKey } = responseExtraction;
  const responsePath = sync.asyncQuery?.recordsResponsePath ? undefined : responseExtraction.responsePath;
  const [{ pagination, restConfig, graphqlConfig } = {}] = transportOptions;
  const settings = {
    responseExtraction: { primaryKey, responsePath },
    transportOptions: [
      {
        pagination,
        restConfig: { endpoint: restConfig?.endpoint },
        graphqlConfig: { endpoint: graphqlConfig?.endpoint },
      },
    ],
    sync: { asyncQuery: sync.asyncQuery },
  };
  return textsIn(settings).filter((path) => {
    const isWithoutPages = path.at(-1) === 'type' && pagination?.type === 'none';
    return !isWithoutPages && !path.some((step) => REDUNDANT.includes(step));
  });
}

function textsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value === 'string') return [path];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, child]) => textsIn(child, [...path, name]));
}

function withWrong({ place, connector, tap }: ShippedTap, path: Path): ShippedTap {
  const wrong = structuredClone(tap);
  const last = path.at(-1) as string;
  const parent = path
    .slice(0, -1)
    .reduce((node, step) => node[step] as never, wrong as unknown as Record<string, unknown>);
  parent[last] = last.endsWith('ndpoint') || last === 'pagePath' ? `/wrong${parent[last]}` : `${parent[last]}Wrong`;
  const taps = connector.taps.map((known) => (known.name === tap.name ? wrong : known));
  return { place, connector: { ...connector, taps }, tap: wrong };
}

async function isComplete(shipped: ShippedTap): Promise<boolean> {
  reading = new SimulatedTapReading(shipped, [0, 1, 2, 3, 4, 5], server.sendInProcess);
  const { records, lines, error } = await reading.read();
  const { kind, pages, rejected } = reading.vendor;
  const expected = kind === 'records' ? reading.expected.slice(0, 1) : reading.expected;
  const isEqual = expected.every((record, nth) =>
    Object.entries(record).every(([name, value]) => isDeepStrictEqual(lines[nth]?.[name], value)),
  );
  const hasKeys = new Set(records.flatMap(({ key }) => key ?? [])).size === expected.length;
  return !error && rejected.length === 0 && isEqual && hasKeys && (kind !== 'pages' || pages >= 3);
}
