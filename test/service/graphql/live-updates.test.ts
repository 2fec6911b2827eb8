import { createClient } from 'graphql-sse';
import { describe, expect, it } from 'vitest';
import { decodeId } from '../../../src/kernel/ids.js';
import { demoEmail } from '../../../src/tenancy/workspaces/seed-demo.js';
import { queryAsOwner } from '../../support/database/owner-queries.js';
import { waitUntil } from '../../support/database/test-jobs.js';
import { queryField, UPDATE_USER, userIdOf } from '../../support/service/callers.js';
import { type LiveStream, openStream } from '../../support/service/live-stream.js';
import { withSecondService } from '../../support/service/second-service.js';
import { startTestService } from '../../support/service/start-service.js';
import { createTestWorkspace } from '../../support/service/test-workspace.js';
import { aConnectedWorkspace, connect } from '../../support/sources/connected-workspace.js';
import { VENDOR_SLUG } from '../../support/vendors/fake-vendor-definitions.js';

const { service, vendor } = await aConnectedWorkspace();
const editor = service.as('editor');

const CHANGED = `subscription ($id: Base62Id, $vendorSlug: String) {
  tenantConnectorInstanceChanged(id: $id, vendorSlug: $vendorSlug) { id name connectionStatus } }`;
const RENAME =
  'mutation ($id: Base62Id!, $name: String) { updateConnectorInstance(id: $id, name: $name) { id connectionStatus } }';

async function aConnection(): Promise<string> {
  return (await connect(editor, 'bearer', vendor.credentials.bearer)).body.data.id;
}

const rename = (id: string, name: string) => queryField(editor, RENAME, { id, name });

async function nextName(stream: LiveStream): Promise<string> {
  const { data, errors } = await stream.next();
  if (errors) throw new Error(JSON.stringify(errors));
  return data.tenantConnectorInstanceChanged.name;
}

async function openStreams(): Promise<number> {
  // The metrics endpoint computes its text at most once per second.
  const text = await (await fetch(service.metricsUrl)).text();
  return Number(/^taproot_live_streams (\d+)$/m.exec(text)?.[1]);
}

/** Ends the database session that listens for changes, as a failover does. */
async function killListener(): Promise<void> {
  const killed = await queryAsOwner(
    service,
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and (query like 'listen %' or query = 'select 1')`,
  );
  expect(killed).toHaveLength(1);
}

describe('POST /graphql/stream', () => {
  it('sends the connection after each change', async () => {
    const id = await aConnection();
    const stream = await openStream(service, CHANGED, { variables: { id } });
    expect(stream.response.status).toBe(200);
    expect(Object.fromEntries(stream.response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    await rename(id, 'first');
    expect(await nextName(stream)).toBe('first');
    await rename(id, 'second');
    expect(await nextName(stream)).toBe('second');
    stream.close();
  });

  it('sends a change that another process makes', async () => {
    const id = await aConnection();
    const stream = await openStream(service, CHANGED, { variables: { id } });
    await withSecondService(service, (other) => queryField(other, RENAME, { id, name: 'from afar' }));
    expect(await nextName(stream)).toBe('from afar');
    stream.close();
  });

  it('sends nothing for a change that is rolled back, and one event for many changes of a transaction', async () => {
    const id = await aConnection();
    const stream = await openStream(service, CHANGED, { variables: { id } });
    const set = (name: string) => `update tenant_connector_instance set name = '${name}' where id = '${decodeId(id)}';`;
    await queryAsOwner(service, `begin; ${set('lost')} rollback;`);
    await queryAsOwner(service, `begin; ${set('one')} ${set('two')} ${set('three')} commit;`);
    expect(await nextName(stream)).toBe('three');
    await rename(id, 'last');
    expect(await nextName(stream)).toBe('last');
    stream.close();
  });

  it('sends only connections that match the arguments', async () => {
    const [one, other] = [await aConnection(), await aConnection()];
    const byId = await openStream(service, CHANGED, { variables: { id: one } });
    const byVendor = await openStream(service, CHANGED, { variables: { vendorSlug: VENDOR_SLUG } });
    const byOtherVendor = await openStream(service, CHANGED, { variables: { vendorSlug: 'slack' } });
    await rename(other, 'other');
    await rename(one, 'one');
    expect(await nextName(byId)).toBe('one');
    expect([await nextName(byVendor), await nextName(byVendor)]).toEqual(['other', 'one']);
    expect(byOtherVendor.results).toEqual([]);
    for (const stream of [byId, byVendor, byOtherVendor]) stream.close();
  });

  it('sends nothing of another workspace, even for the id of a connection there', async () => {
    const slug = await createTestWorkspace(service, 'live-elsewhere');
    const id = await aConnection();
    const [all, foreign] = [
      await openStream(service, CHANGED, { slug }),
      await openStream(service, CHANGED, { slug, variables: { id } }),
    ];
    const own = await openStream(service, CHANGED, { variables: { id } });
    await rename(id, 'ours');
    expect(await nextName(own)).toBe('ours');
    await rename(id, 'still ours');
    expect(await nextName(own)).toBe('still ours');
    expect([all.results, foreign.results]).toEqual([[], []]);
    for (const stream of [own, all, foreign]) stream.close();
  });

  it('sends null after a connection was deleted', async () => {
    const id = await aConnection();
    const stream = await openStream(service, CHANGED, { variables: { id } });
    await queryField(editor, 'mutation ($id: Base62Id!) { deleteConnectorInstance(id: $id) }', { id });
    expect(await stream.next()).toEqual({ data: { tenantConnectorInstanceChanged: null } });
    stream.close();
  });

  it('ends with an error when the user is suspended', async () => {
    const owner = service.as('owner');
    const id = await aConnection();
    const stream = await openStream(service, CHANGED, { role: 'operator' });
    const userId = await userIdOf(owner, demoEmail('operator'));
    await queryField(owner, UPDATE_USER, { id: userId, input: { status: 'SUSPENDED' } });
    await rename(id, 'unseen');
    expect(await stream.next()).toMatchObject({ errors: [{ extensions: { code: 'WORKSPACE_FORBIDDEN' } }] });
    await stream.ended();
    expect(stream).toMatchObject({ results: [], isComplete: true });
    await queryField(owner, UPDATE_USER, { id: userId, input: { status: 'ACTIVE' } });
  });

  it('ends with UNAVAILABLE and without `complete` when the listening session is lost, and serves new streams', async () => {
    const id = await aConnection();
    const stream = await openStream(service, CHANGED, { variables: { id } });
    await killListener();
    expect(await stream.next()).toMatchObject({ errors: [{ extensions: { code: 'UNAVAILABLE', retryAfter: 5 } }] });
    await stream.ended();
    expect(stream.isComplete).toBe(false);
    const next = await openStream(service, CHANGED, { variables: { id } });
    await rename(id, 'after');
    expect(await nextName(next)).toBe('after');
    next.close();
  });

  it('ends streams when the service stops', async () => {
    const { databaseUrl, dataDir } = service;
    const twin = await startTestService({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, JOBS: 'off' });
    const stream = await openStream({ url: twin.url, tokenOf: service.tokenOf }, CHANGED);
    await twin.stop();
    expect(await stream.next()).toMatchObject({ errors: [{ message: 'The service is stopping. Subscribe again.' }] });
    await stream.ended();
    expect(stream.isComplete).toBe(false);
  });

  it('rejects requests that are not exactly one subscription, with the errors of /graphql', async () => {
    const errorOf = async (query: string): Promise<unknown> =>
      (await (await openStream(service, query)).next()).errors[0];
    expect(await errorOf('{ me { id } }')).toMatchObject({
      message: 'This endpoint accepts only subscriptions. Send queries and mutations to /graphql.',
    });
    expect(await errorOf('subscription { nothing }')).toMatchObject({ extensions: { code: 'BAD_REQUEST' } });
    expect(await errorOf('subscription {')).toMatchObject({ message: expect.stringContaining('Syntax error') });
    expect(await errorOf(`subscription { ${'a: __typename '.repeat(21)} }`)).toMatchObject({
      message: 'The operation has more than 20 aliases.',
    });
    const jobs =
      'syncJobs(limit: 250) { instance { syncJobs(limit: 250) { instance { syncJobs(limit: 9) { id } } } } }';
    expect(await errorOf(`subscription { tenantConnectorInstanceChanged { ${jobs} } }`)).toMatchObject({
      message: expect.stringMatching(/^The subscription may return 688,001 objects, but the maximum is 500,000/),
      extensions: { code: 'BAD_REQUEST' },
    });
    const { body } = await editor.graphql('subscription { syncJobChanged { id } }');
    expect(body.errors).toMatchObject([{ message: 'Send subscriptions to /graphql/stream.' }]);
    const form = await service.request('/graphql/stream', { method: 'POST', body: new FormData() });
    expect(form.status).toBe(415);
  });

  it('rejects more than 20 streams of a caller', async () => {
    const streams = [];
    for (let nth = 0; nth < 20; nth++) streams.push(await openStream(service, CHANGED, { role: 'admin' }));
    const { response } = await openStream(service, CHANGED, { role: 'admin' });
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '30']);
    for (const stream of streams) stream.close();
  });

  it('frees the stream of a client that disconnects', async () => {
    await waitUntil(async () => (await openStreams()) === 0);
    const streams = [await openStream(service, CHANGED), await openStream(service, CHANGED)];
    await waitUntil(async () => (await openStreams()) === 2);
    for (const stream of streams) stream.close();
    await waitUntil(async () => (await openStreams()) === 0);
  });

  it('works with the client of graphql-sse, which subscribes again after an interruption', async () => {
    const id = await aConnection();
    const headers = { 'x-tenant': 'demo', authorization: `Bearer ${await service.tokenOf('viewer')}` };
    const connections: boolean[] = [];
    const on = { connected: (isAgain: boolean) => connections.push(isAgain) };
    const client = createClient({ url: `${service.url}/graphql/stream`, headers, on });
    // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary responses
    const results: any[] = [];
    const lost = new Promise<unknown>((resolve, reject) => {
      const sink = {
        next: (result: unknown) => results.push(result),
        error: reject,
        complete: () => resolve(undefined),
      };
      client.subscribe({ query: CHANGED, variables: { id } }, sink);
    });
    lost.catch(() => undefined);
    let renames = 0;
    const renameUntil = async (prefix: string): Promise<void> => {
      await waitUntil(async () => {
        await rename(id, `${prefix} ${renames++}`); // An update with the same name would cause no event.
        return results.some(({ data }) => data?.tenantConnectorInstanceChanged.name.startsWith(prefix));
      });
    };
    await renameUntil('before');
    await killListener();
    await renameUntil('after');
    expect(results.filter(({ errors }) => errors)).toHaveLength(1);
    expect(connections).toEqual([false, true]);
    client.dispose();
  });
});
