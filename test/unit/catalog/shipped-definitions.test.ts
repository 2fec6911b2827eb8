import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readShippedDefinitions } from '../../../src/catalog/definitions/shipped-definitions.js';
import { testCredential } from '../../../src/sources/calls/test-credential.js';
import type { Connection } from '../../../src/sources/connection.js';
import type { TestOutcome } from '../../../src/sources/responses/test-outcome.js';
import type { Session } from '../../../src/sources/session.js';
import { SHIPPED_SCENARIOS } from '../../support/catalog/all-shipped-scenarios.js';
import type { KnownSecrets } from '../../support/catalog/shipped-checks.js';
import { aShippedConnection, withWrongSecrets } from '../../support/catalog/shipped-configs.js';
import { aReply, type ExpectedClassification, type Scenario } from '../../support/catalog/shipped-scenario.js';
import { ShippedServer } from '../../support/catalog/shipped-server.js';
import type { StubReply } from '../../support/servers/any-host-server.js';
import { InMemorySessions } from '../../support/sources/in-memory-sessions.js';

const HOUR = 3_600_000;

const vendors = await readShippedDefinitions();
const connections = new Map(
  vendors.flatMap(({ slug, connectors = [] }) =>
    connectors.flatMap((connector) =>
      connector.supportedAuthStrategies.map((strategy): [string, Connection] => [
        `${slug}/${connector.key}/${strategy.key}`,
        aShippedConnection(connector, strategy),
      ]),
    ),
  ),
);

const server = new ShippedServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

it('every strategy of every shipped definition has scenarios, and every scenario a strategy', () => {
  expect(Object.keys(SHIPPED_SCENARIOS).sort()).toEqual([...connections.keys()].sort());
});

describe.each(Object.entries(SHIPPED_SCENARIOS))('%s', (name, scenario) => {
  const connection = connections.get(name) as Connection;
  const signsIn = connection.strategy.type === 'oauth2_auth_code_pkce';
  const { expired, expiredExchange, limited = [] } = scenario;
  const where = scenario.call ? 'call' : 'exchange';
  const good = aKept(scenario);

  beforeEach(() => server.simulate(scenario, knownOf(connection)));

  it('good: the credential is valid and has the identity that the vendor returns', async () => {
    const outcome = await found(connection, signsIn ? good : undefined);
    expect(outcome).toMatchObject({ status: 'valid' });
    expect(outcome.identity).toBe(scenario.identity);
    expect(server.unexpectedRequests).toEqual([]);
  });

  if (connection.strategy.verification?.grantedScopesPath ?? connection.strategy.verification?.grantedScopesHeader) {
    it('good: its scopes are the scopes that the vendor returns', async () => {
      const { grantedScopes } = await found(connection, signsIn ? good : undefined);
      expect(grantedScopes).toEqual(scenario.scopes ?? 'the scopes of the scenario');
    });
  }

  if (signsIn && scenario.exchange) {
    it('good: an expired session is renewed first', async () => {
      const outcome = await found(connection, { ...good, token: 'over', expiresAt: Date.now() - HOUR });
      expect(outcome).toMatchObject({ status: 'valid' });
      expect(outcome.identity).toBe(scenario.identity);
    });
  }

  it('good: there is no identity if the vendor returns none', async () => {
    if (scenario.call) expect((await answered('call', aReply(scenario.good.status, {}))).identity).toBeUndefined();
  });

  it('bad: a wrong credential is rejected', async () => {
    const wrong = { ...good, token: 'wrong', refreshToken: undefined };
    const outcome = signsIn ? await found(connection, wrong) : await found(withWrongSecrets(connection));
    expect(outcome).toMatchObject({ status: 'invalid', errorCode: 'auth_failed' });
  });

  it(`forbidden: ${told(scenario.forbidden)}`, () => findsAs(scenario.forbidden, where));
  if (expired) it(`expired: ${told(expired)}`, () => findsAs(expired, where));
  if (expiredExchange)
    it(`expired, at the exchange: ${told(expiredExchange)}`, () => findsAs(expiredExchange, 'exchange'));
  it('expired: there is a scenario', () => expect(expired ?? expiredExchange).toBeDefined());

  it('throttled: is inconclusive', async () => {
    const throttled = aReply(429, { message: 'Too many requests.' }, { 'retry-after': '30' });
    expect(await answered(where, throttled)).toMatchObject({ status: 'inconclusive', retryAfter: 30_000 });
    for (const other of limited) expect(await answered(where, other)).toMatchObject({ status: 'inconclusive' });
    if (scenario.exchange) expect(await answered('exchange', throttled)).toMatchObject({ status: 'inconclusive' });
  });

  it('down: is inconclusive', async () => {
    expect(await answered(where, aReply(500, 'Internal Server Error'))).toMatchObject({ status: 'inconclusive' });
    if (scenario.exchange) expect(await answered('exchange', aReply(502))).toMatchObject({ status: 'inconclusive' });
    server.goDown();
    expect(await found(connection, good)).toMatchObject({ status: 'inconclusive' });
  });

  async function findsAs({ reply: given, as }: ExpectedClassification, at: 'call' | 'exchange'): Promise<void> {
    const status = as === 'expired' ? 'expired' : 'invalid';
    expect(await answered(at, given)).toMatchObject({ status, errorCode: as });
  }

  /** Returns the outcome of a credential test. The vendor responds to the correct credential with `given`. */
  async function answered(at: 'call' | 'exchange', given: StubReply): Promise<TestOutcome> {
    server.simulate(scenario, knownOf(connection));
    server.instead = { [at]: given };
    // With a valid session, the test would not exchange a token.
    const over = { ...good, expiresAt: Date.now() - HOUR };
    return found(connection, signsIn ? (at === 'exchange' ? over : { ...good, refreshToken: undefined }) : undefined);
  }
});

function found(connection: Connection, session?: Session): Promise<TestOutcome> {
  return testCredential(connection, new InMemorySessions(session), server.send, { floorMs: 0 });
}

function knownOf({ config, ingestionConfig }: Connection): KnownSecrets {
  const all = { ...ingestionConfig, ...config } as KnownSecrets['config'];
  return { config: all, accessToken: 'access-token-1', refreshToken: 'refresh-token-1' };
}

function aKept({ addressValues, exchange }: Scenario): Session {
  const refreshToken = exchange && 'refresh-token-1';
  return { token: 'access-token-1', refreshToken, obtainedAt: Date.now(), expiresAt: Date.now() + HOUR, addressValues };
}

function told({ as, because }: ExpectedClassification): string {
  return because ? `looks like ${as}, since ${because}` : `is found to be ${as}`;
}
