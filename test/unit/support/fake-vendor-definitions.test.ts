import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { StrategyDefinition } from '../../../src/catalog/definitions/definition.js';
import { parseDefinition, readDefinitions } from '../../../src/catalog/definitions/read-definitions.js';
import { AuthMethodType } from '../../../src/catalog/model/auth-method-configs.js';
import { CLIENT_AUTH_METHODS } from '../../support/identity/oauth-provider.js';
import { aCatalogFolder, fakeVendorDefinitions } from '../../support/vendors/fake-vendor-definitions.js';
import { vendorCredentials } from '../../support/vendors/vendor-credentials.js';
import { codeStrategyKey } from '../../support/vendors/vendor-strategies.js';

const ORIGIN = 'http://127.0.0.1:4711';

describe('the definition of the vendor server', () => {
  it('is valid and has a connector for each method', async () => {
    const text = fakeVendorDefinitions(ORIGIN, { issuer: `${ORIGIN}1`, hostileIssuer: `${ORIGIN}2` });
    const { connectors = [] } = parseDefinition(text, 'loopback.yaml');
    const keys = connectors.map(({ key }) => key);
    expect(keys).toEqual(expect.arrayContaining(Object.keys(AuthMethodType).map((type) => type.replaceAll('_', '-'))));
    expect(keys).toEqual(expect.arrayContaining(['host', 'subdomain', 'oauth-response', 'limited', 'hostile']));
  });

  it('is read from a temporary folder, which is removed', async () => {
    const { folder, remove } = await aCatalogFolder(fakeVendorDefinitions(ORIGIN));
    expect(await readDefinitions([folder])).toMatchObject([{ slug: 'loopback' }]);
    await remove();
    await expect(readdir(folder)).rejects.toThrow('ENOENT');
  });

  it('has a field for each property of the credentials and marks the secrets', () => {
    const { connectors = [] } = parseDefinition(fakeVendorDefinitions(ORIGIN), 'loopback.yaml');
    const strategies = new Map(
      connectors.flatMap(({ supportedAuthStrategies: all }) =>
        all.map((strategy) => [strategy.key, strategy] as const),
      ),
    );
    for (const [key, { authenticationConfig, secrets }] of Object.entries(vendorCredentials())) {
      const fields = fieldsOf(strategies.get(key));
      expect([key, Object.keys(fields).sort()]).toEqual([key, Object.keys(authenticationConfig).sort()]);
      for (const [name, value] of Object.entries(authenticationConfig)) {
        expect([key, name, fields[name]?.secret === true]).toEqual([key, name, secrets.includes(value)]);
      }
    }
    expect([...strategies.keys()]).toEqual(expect.arrayContaining(CLIENT_AUTH_METHODS.map(codeStrategyKey)));
  });
});

function fieldsOf(strategy?: StrategyDefinition): Record<string, { secret?: boolean }> {
  return (strategy?.configSchema?.properties ?? {}) as Record<string, { secret?: boolean }>;
}
