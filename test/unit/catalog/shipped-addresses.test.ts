import { describe, expect, it } from 'vitest';
import type { ConnectorDefinition, StrategyDefinition } from '../../../src/catalog/definitions/definition.js';
import { readShippedDefinitions } from '../../../src/catalog/definitions/shipped-definitions.js';
import { audienceOf } from '../../../src/sources/sessions/sign-assertion.js';
import { addressFieldsOf, baseUrlOf, buildSourceUrl, tokenEndpointOf } from '../../../src/sources/source-address.js';
import { aConnection } from '../../support/sources/source-connection.js';

const vendors = await readShippedDefinitions();
const strategies = vendors.flatMap(({ slug, connectors = [] }) =>
  connectors.flatMap((connector) =>
    connector.supportedAuthStrategies.map((strategy) => ({
      of: `${slug}/${connector.key}/${strategy.key}`,
      connector,
      strategy,
    })),
  ),
);

/** Valid values of the config fields from which the included definitions build addresses. */
const FIELDS: Record<string, string> = {
  site: 'acme',
  cloudId: '11223344-a1b2-3b33-c444-def123456789',
  host: 'git.corp.test:8443',
  instance: 'fra-01.braze.eu',
  tenantId: 'acme.onmicrosoft.com',
  account: 'acme-1',
  apiHost: 'us-12345.api.gong.io',
  domain: 'acme.okta.com',
  companyDomain: 'acme',
  dataCenter: 'us6',
  projectId: '12345',
  loginHost: 'test.salesforce.com',
  shop: 'acme',
  server: '10ax.online.tableau.com',
  subdomain: 'acme',
};
const NAMED = {
  accessUrl: 'https://api.eu.surveymonkey.com',
  apiBaseUrl: 'https://us-12345.api.gong.io',
  apiDomain: 'https://acme.pipedrive.com',
  instanceUrl: 'https://acme.my.salesforce.com',
  siteId: '9a8b',
};

function connectionOf(connector: ConnectorDefinition, strategy: StrategyDefinition) {
  const names = [...addressFieldsOf(aConnection({ connector, strategy, taps: connector.taps }))];
  const own = Object.keys((strategy.configSchema?.properties as object | undefined) ?? {});
  const values = (wanted: string[]) => Object.fromEntries(wanted.map((name) => [name, sampleOf(connector, name)]));
  return aConnection({
    connector,
    strategy,
    config: values(names.filter((name) => own.includes(name))),
    ingestionConfig: values(names.filter((name) => !own.includes(name))),
  });
}

function sampleOf({ ingestionConfigSchema }: ConnectorDefinition, name: string): string | undefined {
  const fields = ingestionConfigSchema?.properties as Record<string, { enum?: string[] }> | undefined;
  return fields?.[name]?.enum?.at(-1) ?? FIELDS[name];
}

describe.each(strategies)('$of', ({ connector, strategy }) => {
  const connection = connectionOf(connector, strategy);
  const { oauth2Config, verification } = strategy;

  it('has https URLs for valid values', () => {
    const urls = [baseUrlOf(connection, NAMED)];
    if (verification?.url) urls.push(buildSourceUrl(connection, NAMED, verification.url));
    if (oauth2Config?.tokenEndpoint) urls.push(new URL(tokenEndpointOf(connection)));
    for (const { protocol, href } of urls) expect([protocol, href.includes('{')]).toEqual(['https:', false]);
  });

  it.each(['evil.test/', 'a@evil.test', 'evil.test#', '..', ''])('has no URL for %j', (value) => {
    for (const name of addressFieldsOf(connection)) {
      const [config, ingestionConfig] = [connection.config, connection.ingestionConfig].map((values) =>
        name in values ? { ...values, [name]: value } : values,
      ) as [typeof connection.config, typeof connection.config];
      const hostile = { ...connection, config, ingestionConfig };
      const hosts = [() => baseUrlOf(hostile, NAMED), () => new URL(tokenEndpointOf(hostile))].flatMap((hostOf) => {
        try {
          return [hostOf().host];
        } catch {
          return [];
        }
      });
      for (const host of hosts) expect(host).not.toContain('evil');
    }
  });

  it('signs assertions only for an audience from the catalog', () => {
    const signs =
      /_jwt$/.test(oauth2Config?.tokenEndpointAuthMethod ?? '') || /jwt_bearer|delegation/.test(strategy.type);
    if (!signs) return;
    const audience = oauth2Config?.audienceParam?.replace('{loginHost}', `${FIELDS.loginHost}`);
    expect(audienceOf(connection)).toBe(audience ?? tokenEndpointOf(connection));
  });
});
