import { describe, expect, it } from 'vitest';
import type { ConnectorDefinition, TapDefinition } from '../../../src/catalog/definitions/definition.js';
import { readShippedDefinitions } from '../../../src/catalog/definitions/shipped-definitions.js';
import type { Pagination } from '../../../src/catalog/model/pagination.js';
import { templateVariables } from '../../../src/catalog/template-variables.js';
import type { PageToken } from '../../../src/syncs/page-token.js';
import { nextPageToken } from '../../../src/syncs/pages/next-page-token.js';
import { buildTapRequest } from '../../../src/syncs/requests/build-tap-request.js';
import type { TapReading } from '../../../src/syncs/tap-reading.js';

const vendors = await readShippedDefinitions();
const options = vendors.flatMap(({ slug, connectors = [] }) =>
  connectors.flatMap((connector) =>
    connector.taps.flatMap((tap) =>
      tap.transportOptions.map((option, index) => ({
        of: `${slug}/${connector.key}/${tap.name}/${index}`,
        connector,
        tap,
        option,
      })),
    ),
  ),
);
const window = { since: new Date('2026-01-31T10:00:00Z'), until: new Date('2026-02-01T10:00:00Z') };

function readingOf({ connector, tap, option }: (typeof options)[number]): TapReading {
  const token = connector.fieldDiscovery?.wildcardToken;
  return {
    tap: { objectName: 'Invoice', ...tap } as unknown as TapReading['tap'],
    option,
    config: sampleConfig(connector),
    variables: sampleVariables(connector, tap),
    parentFields: {},
    ...(token && { wildcard: { token, fieldNames: ['Id', 'Name'] } }),
  };
}

function sampleConfig(connector: ConnectorDefinition): Record<string, string> {
  const schemas = [
    connector.ingestionConfigSchema,
    ...connector.supportedAuthStrategies.flatMap((strategy) => [strategy.configSchema, strategy.ingestionConfigSchema]),
  ];
  const required = schemas.flatMap((schema) => (schema?.required as string[] | undefined) ?? []);
  return Object.fromEntries(required.map((name) => [name, 'sample']));
}

function sampleVariables({ traversal }: ConnectorDefinition, { name: tap }: TapDefinition): Record<string, string> {
  const edges = (traversal?.edges ?? []).filter(({ to }) => to === tap);
  const names = [
    ...edges.map(({ templateVariable, parentKeyField }) => templateVariable ?? parentKeyField),
    ...edges.flatMap(({ parentContextFields = [] }) => parentContextFields.map(({ targetField }) => targetField)),
    ...[...(traversal?.configFanouts ?? []), ...(traversal?.staticFanouts ?? [])].map(
      ({ templateVariable }) => templateVariable,
    ),
  ];
  return Object.fromEntries(names.map((name) => [name, 'parent']));
}

function secondPage(reading: TapReading, { type, cursor = {}, offset, pageNumber }: Pagination): PageToken | undefined {
  if (type === 'cursor') return cursor.cursorIsFullUrl ? { url: '/next' } : { cursor: 'next' };
  if (type === 'session_page') return { sessionId: 'stored', page: 1 };
  const size = offset?.defaultLimit ?? pageNumber?.defaultPageSize ?? 1;
  const records = Array.from({ length: size }, (_, id) => ({ id }));
  const page = { document: { total: size + 1 }, headers: new Headers({ link: '</next>; rel="next"' }), records };
  const { totalPath: _, hasMorePath: __, ...counted } = offset ?? {};
  const untotalled = { ...reading.option, pagination: { type, offset: counted, ...(pageNumber && { pageNumber }) } };
  return nextPageToken({ ...reading, option: untotalled }, undefined, buildTapRequest(reading), page);
}

const UNFILLED = /\{\w+\}|\$ALL_FIELDS/;

describe.each(options)('$of', (shipped) => {
  const { option, tap } = shipped;
  const reading = readingOf(shipped);

  it.each([
    ['without a window', reading],
    ['of the first read', { ...reading, window: { until: window.until } }],
    ['of a window', { ...reading, window }],
  ])('has a complete request %s', (_, read) => {
    const { path, variables = {}, ...request } = buildTapRequest(read);
    expect(JSON.stringify(request)).not.toMatch(UNFILLED);
    const known = [...Object.keys(variables), ...Object.keys(read.config)];
    expect(templateVariables(path).filter((name) => !known.includes(name))).toEqual([]);
  });

  it('sends the start of the window', () => {
    const hasFilter =
      tap.sync.incrementalParams && (option.restConfig?.requestBody || !tap.sync.incrementalParams.bodyFilterPath);
    if (!hasFilter && !option.graphqlConfig) return;
    const first = JSON.stringify(buildTapRequest(reading));
    const differs = first !== JSON.stringify(buildTapRequest({ ...reading, window }));
    expect(differs).toBe(Boolean(tap.sync.incrementalParams));
  });

  it('requests another second page', () => {
    const { pagination } = option;
    const token = pagination && secondPage(reading, pagination);
    expect(Boolean(token)).toBe(Boolean(pagination && pagination.type !== 'none'));
    if (token) expect(buildTapRequest(reading, token)).not.toEqual(buildTapRequest(reading));
  });

  it('has a complete status and records request for its query', () => {
    if (!tap.sync.asyncQuery) return;
    for (const isFinished of [false, true]) {
      const request = buildTapRequest(reading, { query: { id: 'q', startedAt: 0, isFinished } });
      const known = [...Object.keys(request.variables ?? {}), ...Object.keys(reading.config)];
      expect(templateVariables(request.path).filter((name) => !known.includes(name))).toEqual([]);
      expect(request.variables).toMatchObject({ queryId: { text: 'q' } });
    }
  });
});
