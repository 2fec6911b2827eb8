import { afterAll, beforeAll, expect, it } from 'vitest';
import { decodeId, newId } from '../../../src/kernel/ids.js';
import type { BuiltInRole } from '../../../src/tenancy/permissions.js';
import { captureStatements } from '../database/captured-statements.js';
import { createTestWorkspace } from '../service/test-workspace.js';
import { IS_SOAK } from '../soak.js';
import type { ConnectedWorkspace } from '../sources/connected-workspace.js';
import { replyWith } from '../vendors/vendor-responses.js';
import { itIsolatesIngestTokens } from './ingest-isolation.js';
import {
  FILTERS_BY_ID,
  firstOfEach,
  ISOLATION_REQUESTS,
  type IsolationReply,
  type IsolationRequest,
  selectionOfList,
  sendRequest,
} from './isolation-calls.js';
import type { IsolationOutcome } from './isolation-cases.js';
import {
  type IsolationTarget,
  isForeignOrMissing,
  listTarget,
  outcomeForStranger,
  sampleTargets,
  targetsOf,
  withOneMalformedId,
} from './isolation-targets.js';
import { IsolationTraces } from './isolation-traces.js';
import { LIST_CASES, WITHOUT_CANARY } from './list-cases.js';
import { itIsolatesNestedLists } from './nested-list-isolation.js';
import { rejectedCallers, sampleCallers } from './rejected-callers.js';
import { type TenantRows, tenantRows } from './tenant-rows.js';
import { createIsolationWorkspace, type IsolationWorkspace, SHARED_TEXTS } from './workspace-fixtures.js';

const FOREIGN = 'foreign-canary';
const NOTHING_REPEATED = { isRepeated: false } as IsolationTarget;

/**
 * `lift` removes a protection from this process and returns a function that restores it. `isFiltered` is false if
 * `lift` removes the tenant filters of the ORM.
 */
export function itIsolatesTenants(
  connected: ConnectedWorkspace,
  isFiltered: boolean,
  lift = (): (() => void) => () => {},
): void {
  const { service } = connected;
  // REST uses the same resolvers as GraphQL. GraphQL requests are therefore sufficient if only row level security is
  // under test.
  const calls = isFiltered || IS_SOAK ? ISOLATION_REQUESTS : ISOLATION_REQUESTS.filter(({ isRest }) => !isRest);
  // The service rejects malformed ids in the same way for all arguments of a kind, so one argument of each kind is
  // sufficient.
  const withAllMalformedIds = IS_SOAK
    ? calls
    : firstOfEach(isFiltered ? calls : [], ({ isRest, theCase }) => [isRest, theCase.names, theCase.malformed]);
  // Requests of callers without access. The service rejects them before it resolves a field. The tests with tenant
  // filters cover all fields, so the other tests cover only one field of each kind.
  const rejected =
    isFiltered || IS_SOAK
      ? calls
      : firstOfEach(calls, ({ title, theCase }) => [
          theCase.isPublic,
          theCase.otherwise,
          theCase.names,
          /^GraphQL (create|update|delete)/.test(title),
        ]);
  let restore: () => void;
  let rows: TenantRows;
  afterAll(async () => {
    restore();
    await rows.close(); // Closes the connection to the database before the service drops the database.
  });
  let ours: IsolationWorkspace;
  let theirs: IsolationWorkspace;
  let traces: IsolationTraces;
  /** Digests of the foreign workspace's rows after the latest test with foreign ids. */
  let foreignRows: Record<string, string> | undefined;
  /** Statements of requests for our own objects. */
  const statements: string[] = [];

  beforeAll(async () => {
    restore = lift();
    rows = await tenantRows(service.databaseUrl);
    const bothHouses = 'owner@demo.test'; // A member of both workspaces. Each request selects one of them.
    theirs = await createIsolationWorkspace(connected, rows, await createTestWorkspace(service, FOREIGN), {
      takesCommon: true,
      joins: bothHouses,
    });
    ours = await createIsolationWorkspace(connected, rows, 'demo');
    const own = await rows.texts(uuid(ours));
    const common: string[] = Object.values(SHARED_TEXTS);
    const secrets = [...(await rows.texts(uuid(theirs))), ...theirs.make.written].filter(
      (text) => !own.has(text) && !common.includes(text),
    );
    traces = new IsolationTraces(secrets);
  });

  const uuid = ({ tenantId }: IsolationWorkspace): string => decodeId(tenantId) as string;
  const bearer = async (role: BuiltInRole, slug?: string) => `Bearer ${await service.tokenOf(role, slug)}`;
  const ourOwner = async () => ({ authorization: await bearer('owner'), 'x-tenant': 'demo' });
  const callOf = (name: string) =>
    ISOLATION_REQUESTS.find(({ title }) => title === `GraphQL ${name}`) as IsolationRequest;
  const listOf = (field: string) =>
    ISOLATION_REQUESTS.find(({ title }) => title.split('.')[0] === `GraphQL ${field}`) as IsolationRequest;

  function send(
    call: IsolationRequest,
    target: IsolationTarget,
    headers: Record<string, string>,
  ): Promise<IsolationReply> {
    return sendRequest(service.url, call.request(target.variables), headers);
  }

  async function sendAll(
    call: IsolationRequest,
    targets: IsolationTarget[],
    headers: Record<string, string>,
  ): Promise<Map<string, IsolationReply>> {
    const replyTo = async (target: IsolationTarget) => [target.name, await send(call, target, headers)] as const;
    return new Map(await Promise.all(targets.map(replyTo)));
  }

  /** Sends the request for our own object last, because this request may change our rows. */
  async function sendOwnLast(call: IsolationRequest, targets: IsolationTarget[]): Promise<Map<string, IsolationReply>> {
    const headers = await ourOwner();
    const replies = await sendAll(call, targets.slice(0, -1), headers);
    const own = targets.at(-1) as IsolationTarget;
    statements.push(...(await captureStatements(async () => replies.set(own.name, await send(call, own, headers)))));
    return replies;
  }

  it('every string of the foreign workspace is a canary or cannot be chosen freely', async () => {
    expect(await rows.unmarked(uuid(theirs), FOREIGN)).toEqual(WITHOUT_CANARY);
    expect(traces.secrets.filter((text) => text.includes(FOREIGN)).length).toBeGreaterThan(30);
    expect(traces.secrets.length).toBeGreaterThan(150);
  });

  it.each(Object.entries(LIST_CASES))(
    '%s lists and counts exactly the rows of its own workspace',
    async (list, { table, condition }) => {
      const target = listTarget(listOf(list), ours);
      const response = await send(listOf(list), target, await ourOwner());
      const { results = response.data, items = results, total = items.length } = response.data;
      const own = await rows.ids(table, uuid(ours), condition);
      expect(items.map(({ id }: { id: string }) => id).sort()).toEqual(own.sort());
      expect([total, traces.leaksOf(response, target)]).toEqual([own.length, []]);
      expect(own.length).toBeGreaterThan(2);
    },
  );

  it.each(Object.keys(LIST_CASES))('%s shows its canaries to the owner of the foreign workspace', async (list) => {
    const target = listTarget(listOf(list), theirs);
    const headers = { authorization: await bearer('owner'), 'x-tenant': FOREIGN };
    expect(traces.leaksOf(await send(listOf(list), target, headers), target).length).toBeGreaterThan(10);
  });

  it('a name, an address or a key of another workspace is still available', async () => {
    const { make, owner } = ours;
    const made = [await make.role({ name: SHARED_TEXTS.role }), await make.invitation(SHARED_TEXTS.email)];
    made.push(await make.connectorRequest(SHARED_TEXTS.connector));
    const path = '/api/connector-requests/connector-requests';
    const wanted = { connectorName: SHARED_TEXTS.connector };
    const reply = await owner.post(path, wanted, { 'idempotency-key': `${FOREIGN}-once` });
    expect([reply.status, reply.headers.get('idempotency-replayed'), reply.body.data.id]).toEqual([200, null, made[2]]);
    expect(new Set(made).size).toBe(3);
    expect(made.filter((id) => traces.secrets.includes(id))).toEqual([]);
  });

  it('a running test in another workspace has no visible effect', async () => {
    const id = await theirs.make.connections.credential();
    const call = callOf('validateCredentials.credentialMetadataId');
    const targets = await targetsOf(call, ours, theirs, rows, { hasAllForeign: true });
    const [never] = targets as [IsolationTarget];
    const foreign = targets.find((target) => target.id === id) as IsolationTarget;
    const { promise: arrival, resolve: arrive } = Promise.withResolvers<void>();
    const sayYes = replyWith(200, { ok: true });
    connected.vendor.behave('/bearer/me', (...sent) => arrive(void setTimeout(() => sayYes(...sent), 1_000)));
    const underWay = theirs.owner.post('/api/connectors/validate', { credentialMetadataId: id });
    await arrival;
    const responses = await sendOwnLast(call, [never, foreign]);
    connected.vendor.recover();
    expect((await underWay).body.data.status).toBe('valid');
    expect([foreign, never].map(({ name }) => responses.get(name)?.outcome)).toEqual(['NOT_FOUND', 'NOT_FOUND']);
    traces.expectNone([never, foreign], responses);
  });

  it.each(FILTERS_BY_ID)('$list: filtered by $filter, no id of the foreign workspace finds a row', async (filter) => {
    const own = Object.values(ours.live); // Both workspaces use some of the same catalog rows.
    const ids = Object.values(theirs.live).filter((id) => decodeId(id) && !own.includes(id));
    expect(ids.length).toBeGreaterThan(10);
    const found = await askFiltered(filter, ids);
    expect(found.bytes).toBe((await askFiltered(filter, [newId()])).bytes);
    expect(traces.leaksOf(found, NOTHING_REPEATED)).toEqual([]);
  });

  itIsolatesNestedLists({
    ...{ url: () => service.url, ours: () => ours, theirs: () => theirs, statements },
    ownerOf: async ({ slug }) => ({ authorization: await bearer('owner', slug), 'x-tenant': slug }),
    leaksOf: (reply) => traces.leaksOf(reply, NOTHING_REPEATED),
  });

  async function askFiltered(
    { list, filter, isCount }: (typeof FILTERS_BY_ID)[number],
    ids: readonly string[],
  ): Promise<IsolationReply> {
    const { theCase } = listOf(list);
    const others = Object.entries(theCase.variables?.(theCase.names ? ours.live[theCase.names] : '', ours, '') ?? {});
    const given = others.map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
    const args = [...given, `filter: { ${filter}: ${JSON.stringify(ids)} }`].join(', ');
    const query = `{ data: ${list}(${args}) ${isCount ? '' : '{ __typename }'} }`;
    const whole = isCount ? query : query.replace('{ __typename }', selectionOfList(list));
    const answer = await sendRequest(
      service.url,
      { method: 'POST', path: '/graphql', body: { query: whole } },
      await ourOwner(),
    );
    expect(answer.outcome).not.toBe('BAD_REQUEST');
    return answer;
  }

  // The two tests of a call follow each other, because the cache of validated documents is small.
  for (const call of calls) {
    it(`${call.title}: a foreign id is indistinguishable from a missing id`, () => expectNoForeignObjects(call));
    if (rejected.includes(call))
      it(`${call.title}: a rejected caller learns and changes nothing`, () => expectRejections(call));
  }

  it(`reads name the workspace ${isFiltered ? 'in every statement' : 'in no statement of the application'}`, () => {
    const selects = statements.filter((text) => /^\s*(select|with)\b/.test(text));
    const reads = selects.filter((text) => rows.tables.some((table) => text.includes(`from "${table}"`)));
    const naming = reads.filter((text) => (isFiltered ? /tenant_id"? = / : /"tenant_id" = /).test(text));
    expect(naming).toEqual(isFiltered ? reads : []);
    expect(reads.length).toBeGreaterThan(60);
  });

  async function expectNoForeignObjects(call: IsolationRequest): Promise<void> {
    const all = await targetsOf(call, ours, theirs, rows);
    const targets = withAllMalformedIds.includes(call) ? all : withOneMalformedId(all);
    const before = foreignRows ?? (await rows.digests(uuid(theirs)));
    const responses = await sendOwnLast(call, targets);
    const outcomes = targets.map(({ name }) => [name, responses.get(name)?.outcome]);
    expect(outcomes).toEqual(targets.map(({ name, outcome }) => [name, outcome]));
    const own = targets.at(-1) as IsolationTarget;
    expect(call.theCase.fits(responses.get(own.name)?.data, own.id, ours)).toBe(true);
    expect(traces.expectNone(targets, responses)).toBeGreaterThanOrEqual(
      !call.theCase.names ? 0 : targets === all ? 8 : 2,
    );
    foreignRows = await rows.digests(uuid(theirs));
    expect(foreignRows).toEqual(before);
  }

  async function expectRejections(call: IsolationRequest): Promise<void> {
    const all = sampleTargets(await targetsOf(call, ours, theirs, rows, { isKept: true }));
    const before = await rows.digests(uuid(ours), uuid(theirs));
    const replies = new Map<IsolationOutcome, Set<string>>();
    const callers = await rejectedCallers(service, FOREIGN, ours.apiKey);
    const isReduced = !IS_SOAK && !withAllMalformedIds.includes(call);
    for (const { caller, outcome, headers } of IS_SOAK ? callers : sampleCallers(callers, calls.indexOf(call))) {
      // If an earlier caller had the same error, sends only the requests that could reveal a secret.
      const isRepeated = !IS_SOAK && replies.has(outcome);
      const valid = isReduced && replies.size ? all.filter(({ isMalformed }) => !isMalformed) : all;
      const targets = isRepeated ? all.filter(isForeignOrMissing) : valid;
      const responses = await sendAll(call, targets, headers);
      const outcomes = targets.map(({ name }) => [caller, name, responses.get(name)?.outcome]);
      expect(outcomes).toEqual(
        targets.map((target) => [caller, target.name, outcomeForStranger(call, target, outcome)]),
      );
      expect(traces.expectNone(targets, responses)).toBe(!call.theCase.names ? 0 : targets === all ? 2 : 1);
      for (const [name, { bytes }] of responses)
        if (!targets.find((target) => target.name === name)?.isMalformed)
          replies.set(outcome, (replies.get(outcome) ?? new Set()).add(bytes));
    }
    if (!call.theCase.isPublic) expect([...replies.values()].map(({ size }) => size)).toEqual([1, 1, 1]);
    expect(await rows.digests(uuid(ours), uuid(theirs))).toEqual(before);
  }

  itIsolatesIngestTokens({
    ...{ service, ours: () => ours, theirs: () => theirs, rows: () => rows, ourOwner },
    leaksOf: (reply) => traces.leaksOf(reply, NOTHING_REPEATED),
  });

  it('the subdomain admits the same callers as the header', async () => {
    const { port } = new URL(service.url);
    const headers = { authorization: await bearer('owner'), host: `demo.localhost:${port}` };
    const [target] = (await targetsOf(callOf('me'), ours, theirs, rows)) as [IsolationTarget];
    expect((await send(callOf('me'), target, headers)).data.tenantId).toBe(ours.tenantId);
  });
}
