import { tmpdir } from 'node:os';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { trialConnection } from '../../../scripts/trial-connection.js';
import type { ConnectorDefinition, StrategyDefinition } from '../../../src/catalog/definitions/definition.js';
import type { TraversalEdge } from '../../../src/catalog/model/traversal.js';
import { InMemorySessionStore } from '../../../src/sources/sessions/in-memory-session-store.js';
import type { RequestTrace } from '../../../src/syncs/reading/request-trace.js';
import { tryTap } from '../../../src/syncs/reading/try-tap.js';
import { aConnector, aTap, aVendor } from '../../support/catalog/definition-builders.js';
import { SourceServer } from '../../support/servers/source-server.js';

let server: SourceServer;
let traces: RequestTrace[];
beforeAll(async () => {
  server = await new SourceServer(({ path, url }) => {
    if (path === '/projects') return [{ key: 'A', archived: true }, { key: 'B' }];
    if (path === '/projects/B/issues') return { status: 200, headers: { link: next }, body: [{ id: 7, size: 1.5 }] };
    if (path === '/fields/Account') return ['id', 'a', 'b'].map((name) => ({ name }));
    if (path === '/accounts')
      return [url.searchParams.get('fields') === 'id,a' ? { id: 1, a: 'a' } : { id: 1, b: 'b' }];
    return 404;
  }).open();
});
afterAll(() => server.close());
beforeEach(() => {
  traces = [];
  server.requests.length = 0;
  next = NEXT;
});

const NEXT = '</projects/B/issues?page=2>; rel="next"';
let next = NEXT;
const EDGE: TraversalEdge = {
  ...{ from: 'projects', to: 'issues', parentKeyField: 'key', templateVariable: 'project' },
  parentEligibility: [{ field: 'archived', operator: 'neq', values: ['true'] }],
  parentContextFields: [{ sourceField: 'key', targetField: 'project_key' }],
};

function vendorWith(edge: Partial<TraversalEdge> = {}) {
  const taps = [
    aTap({ name: 'projects', transportOptions: [{ apiType: 'rest', restConfig: { endpoint: '/projects' } }] }),
    aTap({
      name: 'issues',
      transportOptions: [
        {
          ...{ apiType: 'rest', pagination: { type: 'link_header' } },
          restConfig: { endpoint: '/projects/{project}/issues' },
        },
      ],
    }),
  ];
  const traversal = { rootTaps: ['projects'], edges: [{ ...EDGE, ...edge }] };
  return aVendor({ connectors: [aConnector({ defaultBaseUrl: server.url, taps, traversal })] });
}

async function trialOf(tapName: string, vendor = vendorWith(), session?: string) {
  const call = trialConnection([vendor], { vendorSlug: 'acme', tapName }, { authenticationConfig: { token: 't-1' } });
  const onRequest = (trace: RequestTrace) => void traces.push(trace);
  const sessions = new InMemorySessionStore();
  if (session) await sessions.replace(undefined, async () => ({ token: session, obtainedAt: Date.now() }));
  const source = { call: { ...call, sessions, send: server.send }, onRequest, workFolder: tmpdir() };
  return tryTap(source, tapName, new AbortController().signal);
}

describe('a trial of a tap', () => {
  it('returns the records of the first page, their columns and the next request', async () => {
    const trial = await trialOf('issues');
    expect(trial).toMatchObject({ tap: 'issues', records: ['{"id":7,"size":1.5,"project_key":"B"}'] });
    expect(trial.columns).toEqual([
      { name: 'id', type: 'Integer' },
      { name: 'size', type: 'Double' },
      { name: 'project_key', type: 'String' },
    ]);
    expect(trial.nextRequest).toBe(`GET ${server.url}/projects/B/issues?page=2`);
  });

  it('redacts the token of the session in the next request', async () => {
    next = '</projects/B/issues?cursor=s-t0ken-2>; rel="next"';
    const trial = await trialOf('issues', vendorWith(), 's-t0ken');
    expect(trial.nextRequest).toBe(`GET ${server.url}/projects/B/issues?cursor=***-2`);
  });

  it('contains no header, so that a secret in a header appears neither in requests nor in errors', async () => {
    const extraHeaders = { 'X-Developer': '{token}', 'X-Project': '{project}' };
    const [connector] = vendorWith().connectors ?? [];
    const strategy = { ...(connector?.supportedAuthStrategies[0] as StrategyDefinition), extraHeaders };
    const vendor = aVendor({
      connectors: [{ ...connector, supportedAuthStrategies: [strategy] } as ConnectorDefinition],
    });
    const trial = await trialOf('issues', vendor);
    expect(server.last.headers['x-developer']).toBe('t-1');
    expect(server.last.headers).not.toHaveProperty('x-project');
    expect(JSON.stringify([traces, trial])).not.toContain('t-1');
    next = 'no link';
    const failure = await trialOf('unknown', vendor).catch((error) => error);
    expect(`${failure} ${JSON.stringify(failure)}`).not.toContain('t-1');
  });

  it('reads the first eligible parent, with the credential of the connection', async () => {
    await trialOf('issues');
    expect(traces.map(({ method, url, status }) => [method, url, status])).toEqual([
      ['GET', `${server.url}/projects`, 200],
      ['GET', `${server.url}/projects/B/issues`, 200],
    ]);
    expect(server.requests.map(({ path }) => path)).toEqual(['/projects', '/projects/B/issues']);
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer t-1', 'Bearer t-1']);
  });

  it('merges the records of several requests if the list of fields is too long for one request', async () => {
    const fieldDiscovery = { endpointTemplate: '/fields/{objectName}', wildcardToken: '$ALL', maxFieldsLength: 4 };
    const [option] = aTap().transportOptions;
    const queryParams = { fields: '$ALL' };
    const tap = aTap({
      ...{ name: 'accounts', objectName: 'Account', responseExtraction: { primaryKey: 'id' } },
      transportOptions: [
        {
          ...{ ...option, apiType: 'rest', restConfig: { endpoint: '/accounts', queryParams } },
          pagination: { type: 'page_number', pageNumber: { pageParam: 'page', defaultPageSize: 1 } },
        },
      ],
    });
    const vendor = aVendor({ connectors: [aConnector({ defaultBaseUrl: server.url, taps: [tap], fieldDiscovery })] });
    const trial = await trialOf('accounts', vendor);
    expect(trial.records).toEqual(['{"id":1,"b":"b","a":"a"}']);
    expect(trial.nextRequest).toBe(`GET ${server.url}/accounts?fields=id%2Ca&page=2`);
  });

  it('fails if no parent on the first page is eligible', async () => {
    const noneEligible = vendorWith({ parentEligibility: [{ field: 'key', operator: 'eq', values: ['C'] }] });
    await expect(trialOf('issues', noneEligible)).rejects.toMatchObject({ errorClass: 'configuration' });
  });

  it('fails for an unknown tap', async () => {
    const call = trialConnection([vendorWith()], { vendorSlug: 'acme', tapName: 'issues' }, {});
    const source = { call: { ...call, send: server.send }, workFolder: tmpdir() };
    const trial = tryTap(source, 'orders', new AbortController().signal);
    await expect(trial).rejects.toThrow('The connector has no tap "orders".');
  });
});

describe('the connection of a trial', () => {
  it.each([
    ['vendor', { vendorSlug: 'other', tapName: 'issues' }],
    ['connector', { vendorSlug: 'acme', tapName: 'orders' }],
    ['strategy', { vendorSlug: 'acme', tapName: 'issues' }, 'oauth'],
  ])('requires a known %s', (kind, tap, strategy?: string) => {
    const config = strategy ? { strategy } : {};
    expect(() => trialConnection([vendorWith()], tap, config)).toThrow(`No ${kind} matches`);
  });
});
